//! From the input to the output, on all cores, in order.
//!
//! The input is cut into blocks of whole lines: what a single read brings. Block i goes to worker
//! i mod n, and the answers are collected in the same round, so they stay in order without any
//! bookkeeping. A block's answers are written at once: nothing waits for input that has not come.
//! All queues are bounded, so memory does not grow with the input.

use std::io::{self, Read, Write};
use std::panic::catch_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::request::{MAX_LINE, answer, refuse};

/// How much is read at once.
const BLOCK: usize = 1 << 16;

/// How many blocks wait for a worker, and how many of its answers wait to be written.
const QUEUE: usize = 4;

/// Answers every line of the input.
///
/// # Errors
/// Where reading or writing fails.
pub fn answer_all(input: impl Read + Send + 'static, mut output: impl Write) -> io::Result<()> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let (blocks, answers): (Vec<_>, Vec<_>) = (0..workers).map(|_| worker()).unzip();
    let reader = thread::spawn(move || read_blocks(input, &blocks));
    // The first worker without an answer to its turn has seen the end of the input.
    for answers in answers.iter().cycle() {
        let Ok(block) = answers.recv() else { break };
        output.write_all(&block)?;
        output.flush()?;
    }
    reader.join().unwrap_or_else(|_| Err(io::Error::other("the reader failed")))
}

/// Starts a thread that turns blocks of lines into blocks of answers.
fn worker() -> (SyncSender<Vec<u8>>, Receiver<Vec<u8>>) {
    let (blocks_in, blocks) = sync_channel::<Vec<u8>>(QUEUE);
    let (answers, answers_out) = sync_channel(QUEUE);
    thread::spawn(move || {
        for block in blocks {
            let mut answered = Vec::with_capacity(block.len());
            for line in block.split(|&byte| byte == b'\n') {
                answer_safely(line, &mut answered);
            }
            if answers.send(answered).is_err() {
                return; // nobody reads the answers any more
            }
        }
    });
    (blocks_in, answers_out)
}

/// Answers a line, whatever happens: a fault in the library must not take the other lines along.
fn answer_safely(line: &[u8], answers: &mut Vec<u8>) {
    match catch_unwind(|| answer(line)) {
        Ok(answer) => answers.extend(answer),
        Err(_) => answers.extend(refuse(line, "carom failed on this line; please report it")),
    }
}

/// Hands the input to the workers in turn, in blocks of whole lines. A line that is too long
/// keeps its beginning only, yet too much to be taken for a good one.
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
