//! Draws the fighter that the tests let fight.
//!
//! `cargo run -p carom-files --example fighter -- crates/carom-files/tests/art/fighter.png`

mod draw;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or("fighter.png".into());
    draw::sheet().save(&path)?;
    println!("{path}: {}", draw::FRAMES.join(", "));
    Ok(())
}
