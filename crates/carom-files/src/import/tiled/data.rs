//! The tiles of a layer, in all the ways in which Tiled writes them.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

use super::model::{Data, Layer};

/// The global numbers of the tiles, with their flips: as many as there are cells.
pub fn tiles(layer: &Layer, data: &Data, [width, height]: [u32; 2]) -> Result<Vec<u32>, String> {
    let count = width as usize * height as usize;
    let tiles = match data {
        Data::Numbers(numbers) => numbers.clone(),
        Data::Text(text) => match layer.encoding.as_str() {
            "base64" => decoded(text, &layer.compression, count)?,
            "csv" | "" => separated(text)?,
            other => {
                return Err(format!("found the encoding `{other}`, expected `csv` or `base64`"));
            }
        },
    };
    if tiles.len() != count {
        let found = tiles.len();
        return Err(format!(
            "found {found} tiles, expected {width} by {height}, which are {count}"
        ));
    }
    Ok(tiles)
}

fn separated(text: &str) -> Result<Vec<u32>, String> {
    let numbers = text.split(',').map(str::trim).filter(|number| !number.is_empty());
    let number = |number: &str| {
        number.parse().map_err(|_| format!("found {number:?}, expected the number of a tile"))
    };
    numbers.map(number).collect()
}

fn decoded(text: &str, compression: &str, count: usize) -> Result<Vec<u32>, String> {
    let text: String = text.split_whitespace().collect();
    let packed = STANDARD.decode(text).map_err(|error| format!("no base64: {error}"))?;
    let packed = packed.as_slice();
    let bytes = match compression {
        "" => packed.to_vec(),
        "zlib" => unpacked(ZlibDecoder::new(packed), count)?,
        "gzip" => unpacked(GzDecoder::new(packed), count)?,
        "zstd" => {
            let decoder = StreamingDecoder::new(packed);
            unpacked(decoder.map_err(|error| format!("no zstd: {error}"))?, count)?
        }
        other => {
            return Err(format!(
                "found the compression `{other}`, expected `zlib`, `gzip` or `zstd`"
            ));
        }
    };
    let numbers = bytes.chunks_exact(4);
    if !numbers.remainder().is_empty() {
        return Err(format!("found {} bytes, expected four for each tile", bytes.len()));
    }
    Ok(numbers.map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four"))).collect())
}

/// What a decoder gives, but no more than a tile more than there should be.
fn unpacked(decoder: impl Read, count: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = 4 * (count as u64 + 1);
    decoder.take(most).read_to_end(&mut bytes).map_err(|error| format!("broken: {error}"))?;
    Ok(bytes)
}
