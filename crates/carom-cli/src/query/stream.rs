//! Parallel processing of the input, with the output in order.
//!
//! The input is split into blocks of whole lines, one for each read. Worker `i % n` processes block `i`, and the
//! responses are collected from the workers in the same cyclic order, so they stay in order. The responses of a
//! block are written immediately, without waiting for more input. All queues are bounded, so the use of memory does
//! not grow with the input.

use std::io::{self, Read, Write};
use std::panic::catch_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::request::{MAX_LINE, error_response, respond};

/// The number of bytes to read at once.
const BLOCK: usize = 1 << 16;

/// The number of blocks that may wait for a worker, and of its responses that may wait to be written.
const QUEUE: usize = 4;

/// Answers every line of the input.
///
/// # Errors
/// Returns an error if reading or writing fails.
pub fn answer_stream(input: impl Read + Send + 'static, mut output: impl Write) -> io::Result<()> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let (blocks, responses): (Vec<_>, Vec<_>) = (0..workers).map(|_| worker()).unzip();
    let reader = thread::spawn(move || read_blocks(input, &blocks));
    // The first worker that has no response although it is the next one has reached the end of the input.
    for responses in responses.iter().cycle() {
        let Ok(block) = responses.recv() else { break };
        output.write_all(&block)?;
        output.flush()?;
    }
    reader.join().unwrap_or_else(|_| Err(io::Error::other("the reader failed")))
}

/// Starts a thread that turns blocks of lines into blocks of responses.
fn worker() -> (SyncSender<Vec<u8>>, Receiver<Vec<u8>>) {
    let (blocks_in, blocks) = sync_channel::<Vec<u8>>(QUEUE);
    let (responses, responses_out) = sync_channel(QUEUE);
    thread::spawn(move || {
        for block in blocks {
            let mut response = Vec::with_capacity(block.len());
            for line in block.split(|&byte| byte == b'\n') {
                respond_safely(line, &mut response);
            }
            if responses.send(response).is_err() {
                return; // the output is closed
            }
        }
    });
    (blocks_in, responses_out)
}

/// Answers a line, even if that panics: a bug in the library must not affect the other lines.
fn respond_safely(line: &[u8], out: &mut Vec<u8>) {
    match catch_unwind(|| respond(line)) {
        Ok(response) => out.extend(response),
        Err(_) => out.extend(error_response(line, "carom panicked; please report this line")),
    }
}

/// Sends the input to the workers in cyclic order, in blocks of whole lines. A line that is too long is truncated,
/// but stays longer than the limit, so that it is reported.
fn read_blocks(mut input: impl Read, workers: &[SyncSender<Vec<u8>>]) -> io::Result<()> {
    let mut buffer = vec![0; BLOCK];
    let mut line = Vec::new(); // the unfinished line at the end of the last read
    let mut workers = workers.iter().cycle();
    let mut send = |block| workers.next().is_some_and(|worker| worker.send(block).is_ok());
    loop {
        let new = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => &buffer[..count],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let whole = new.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole > 0 {
            let mut block = std::mem::take(&mut line);
            block.extend(&new[..whole]);
            if !send(block) {
                return Ok(()); // the output is closed
            }
        }
        if line.len() <= MAX_LINE {
            line.extend(&new[whole..]);
        }
    }
    send(line);
    Ok(())
}
