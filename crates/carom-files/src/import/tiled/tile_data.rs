//! Decoding the tiles of a layer, in all encodings that Tiled writes.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

use super::model::{Data, Layer};

/// Returns the global tile ids (gids) of a layer or chunk, one per cell, including their flip flags.
pub fn gids(layer: &Layer, data: &Data, [width, height]: [u32; 2]) -> Result<Vec<u32>, String> {
    let count = width as usize * height as usize;
    let gids = match data {
        Data::Gids(gids) => gids.clone(),
        Data::Text(text) => match layer.encoding.as_str() {
            "base64" => decode_base64(text, &layer.compression, count)?,
            "csv" | "" => parse_csv(text)?,
            other => {
                return Err(format!("found encoding `{other}`, expected `csv` or `base64`"));
            }
        },
    };
    if gids.len() != count {
        let found = gids.len();
        return Err(format!("found {found} tiles, expected {width}×{height} = {count}"));
    }
    Ok(gids)
}

fn parse_csv(text: &str) -> Result<Vec<u32>, String> {
    let numbers = text.split(',').map(str::trim).filter(|number| !number.is_empty());
    let number =
        |number: &str| number.parse().map_err(|_| format!("found {number:?}, expected a tile id"));
    numbers.map(number).collect()
}

fn decode_base64(text: &str, compression: &str, count: usize) -> Result<Vec<u32>, String> {
    let text: String = text.split_whitespace().collect();
    let packed = STANDARD.decode(text).map_err(|error| format!("invalid base64: {error}"))?;
    let packed = packed.as_slice();
    let bytes = match compression {
        "" => packed.to_vec(),
        "zlib" => decompress(ZlibDecoder::new(packed), count)?,
        "gzip" => decompress(GzDecoder::new(packed), count)?,
        "zstd" => {
            let decoder = StreamingDecoder::new(packed);
            decompress(decoder.map_err(|error| format!("invalid zstd data: {error}"))?, count)?
        }
        other => {
            return Err(format!("found compression `{other}`, expected `zlib`, `gzip` or `zstd`"));
        }
    };
    let numbers = bytes.chunks_exact(4);
    if !numbers.remainder().is_empty() {
        return Err(format!("found {} bytes, expected four per tile", bytes.len()));
    }
    Ok(numbers.map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four"))).collect())
}

/// Reads at most one tile more than expected, so that a small file cannot fill the memory.
fn decompress(decoder: impl Read, count: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let max = 4 * (count as u64 + 1);
    decoder
        .take(max)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("invalid compressed data: {error}"))?;
    Ok(bytes)
}
