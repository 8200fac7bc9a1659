//! Tile and offset: motion on a grid, for maze games.

use glam::Vec2;

use crate::math::to_vec2;
use crate::shape::{Cell, TileMap};

/// A direction along the rows or the columns of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Heading {
    /// Towards lesser columns.
    NegX,
    /// Towards greater columns.
    PosX,
    /// Towards lesser rows.
    NegY,
    /// Towards greater rows.
    PosY,
}

impl Heading {
    /// All headings.
    pub const ALL: [Self; 4] = [Self::NegX, Self::PosX, Self::NegY, Self::PosY];

    /// Returns the opposite heading.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::NegX => Self::PosX,
            Self::PosX => Self::NegX,
            Self::NegY => Self::PosY,
            Self::PosY => Self::NegY,
        }
    }

    /// Returns the heading as a unit vector in the grid.
    pub fn vector(self) -> Vec2 {
        match self {
            Self::NegX => Vec2::NEG_X,
            Self::PosX => Vec2::X,
            Self::NegY => Vec2::NEG_Y,
            Self::PosY => Vec2::Y,
        }
    }

    /// Returns the next cell in this direction; `None` beyond the first row or column.
    pub fn next(self, Cell { column, row }: Cell) -> Option<Cell> {
        Some(match self {
            Self::NegX => Cell::new(column.checked_sub(1)?, row),
            Self::PosX => Cell::new(column.checked_add(1)?, row),
            Self::NegY => Cell::new(column, row.checked_sub(1)?),
            Self::PosY => Cell::new(column, row.checked_add(1)?),
        })
    }
}

/// The maximum number of tiles that a mover passes in one call. In a tunnel that leads back into itself, a huge
/// distance would take forever.
const MOST_TILES: f32 = 65_536.0;

/// A mover in a maze: the tile whose center it has passed last, its heading, and its offset towards the next
/// center.
///
/// It needs no collision test. Between two centers there are no obstacles, and at a center the grid says which
/// neighbors are open. So the mover fits every corridor exactly, at any speed. A turn that is requested early is
/// kept until a center at which it is possible. Turning back is possible everywhere.
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::{Heading, MazeMover, open_in};
/// let maze = TileMap::from_rows(
///     [0.0, 0.0],
///     [8.0, 8.0],
///     &["######", "#....#", "##.###", "##...#", "######"],
///     &[('#', TileKind::SOLID)],
/// );
/// let mut hero = MazeMover::new([1, 1]);
/// hero.wanted = Some(Heading::PosX);
/// hero.advance(0.25, open_in(&maze)); // a quarter of a tile
/// assert_eq!(hero.position(&maze), Vec2::new(14.0, 12.0));
///
/// hero.wanted = Some(Heading::PosY); // too early: there is a wall
/// assert_eq!(hero.advance(1.25, open_in(&maze)), 1.25);
/// assert_eq!(hero.cell(), Cell::new(2, 1)); // it has reached the crossing, and turned there
/// assert_eq!((hero.heading(), hero.offset()), (Some(Heading::PosY), 0.5));
///
/// // Around the corner, all in one frame. It stops at the end of the corridor.
/// hero.wanted = Some(Heading::PosX);
/// assert_eq!(hero.advance(100.0, open_in(&maze)), 3.5);
/// assert_eq!(hero.cell(), Cell::new(4, 3));
/// ```
///
/// # Weakness
///
/// The grid is all that a mover collides with. Two movers that change places in one frame are never in the
/// same cell. To find out if they have touched, sweep their shapes:
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::{Heading, MazeMover, open_in};
/// let corridor = TileMap::new([0.0, 0.0], [1.0, 1.0], [6, 1]);
/// let (mut hero, mut ghost) = (MazeMover::new([0, 0]), MazeMover::new([5, 0]));
/// (hero.wanted, ghost.wanted) = (Some(Heading::PosX), Some(Heading::NegX));
/// let paths = [&mut hero, &mut ghost].map(|mover| {
///     let from = mover.position(&corridor);
///     mover.advance(3.0, open_in(&corridor));
///     (from, mover.position(&corridor) - from)
/// });
/// assert_ne!(hero.cell(), ghost.cell()); // as if they had not touched
/// let [hero, ghost] = paths.map(|(from, motion)| (Circle::new(from, 0.25), motion));
/// assert!(hero.0.sweep(hero.1 - ghost.1, &ghost.0).is_some()); // but they did
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MazeMover {
    /// The heading to take as soon as the grid allows it. It stays set after the turn.
    pub wanted: Option<Heading>,
    cell: Cell,
    heading: Option<Heading>,
    /// The next cell, and the part of the distance to it that is done, from 0 to below 1.
    ahead: Cell,
    offset: f32,
}

impl MazeMover {
    /// Creates a mover that stands in the center of a cell.
    pub fn new(cell: impl Into<Cell>) -> Self {
        let cell = cell.into();
        Self { wanted: None, cell, heading: None, ahead: cell, offset: 0.0 }
    }

    /// Returns the cell whose center it has passed last.
    pub fn cell(&self) -> Cell {
        self.cell
    }

    /// Returns the heading; at a wall that has stopped it, the last one. `None` if it has not moved yet.
    pub fn heading(&self) -> Option<Heading> {
        self.heading
    }

    /// Returns the part of the distance to the next center that is done, from 0, in the center, to below 1.
    pub fn offset(&self) -> f32 {
        self.offset
    }

    /// Returns the position in a map. In a tunnel it is beyond the end at which the mover has entered.
    pub fn position(&self, map: &TileMap) -> Vec2 {
        let [low, right, _, up] = map.cell_corners(self.cell).map(|corner| corner.as_dvec2());
        let way = self.heading.map_or(Vec2::ZERO, Heading::vector).as_dvec2();
        let step = (right - low) * way.x + (up - low) * way.y;
        to_vec2((low + right) / 2.0 + (up - low) / 2.0 + step * f64::from(self.offset))
    }

    /// Moves by a distance in tiles, and returns the distance that was possible, which is less if a wall stops the
    /// mover.
    ///
    /// `exit` returns the cell that a heading leads to from a cell, and `None` for a wall: see [`open_in`]. It can
    /// implement tunnels to the other side of the maze, and doors that only some movers may pass.
    ///
    /// The mover stays where it is if the distance is not positive or not finite. No call moves it by more than
    /// 65,536 tiles.
    pub fn advance(
        &mut self,
        distance: f32,
        mut exit: impl FnMut(Cell, Heading) -> Option<Cell>,
    ) -> f32 {
        if !(distance > 0.0 && distance.is_finite()) {
            return 0.0;
        }
        let distance = distance.min(MOST_TILES);
        let mut left = distance;
        while left > 0.0 {
            if self.offset > 0.0 {
                self.turn_back();
            } else if !self.leave(&mut exit) {
                break;
            }
            let end = self.offset + left;
            if end < 1.0 {
                (self.offset, left) = (end, 0.0);
            } else {
                left = (left - (1.0 - self.offset)).max(0.0);
                (self.cell, self.offset) = (self.ahead, 0.0);
            }
        }
        distance - left
    }

    /// In the center of a cell: takes the wanted exit if it is open, or else goes straight on. Returns whether
    /// the mover leaves the cell.
    fn leave(&mut self, exit: &mut impl FnMut(Cell, Heading) -> Option<Cell>) -> bool {
        for heading in [self.wanted, self.heading].into_iter().flatten() {
            if let Some(ahead) = exit(self.cell, heading) {
                (self.heading, self.ahead) = (Some(heading), ahead);
                return true;
            }
        }
        false
    }

    /// Between two cells, where turning back is the only possible turn: turns back if that is wanted.
    fn turn_back(&mut self) {
        if self.wanted.is_some() && self.wanted == self.heading.map(Heading::reversed) {
            self.heading = self.wanted;
            (self.cell, self.ahead) = (self.ahead, self.cell);
            self.offset = 1.0 - self.offset;
        }
    }
}

/// Returns the `exit` function of a map for [`MazeMover::advance`]: the exits lead to the neighbors that are
/// empty.
pub fn open_in(map: &TileMap) -> impl Fn(Cell, Heading) -> Option<Cell> + '_ {
    let is_in = |cell: Cell| cell.column < map.columns() && cell.row < map.rows();
    move |cell, heading| heading.next(cell).filter(|&next| is_in(next) && map.kind(next).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: u32) -> TileMap {
        TileMap::new([0.0, 0.0], [2.0, 1.0], [cells, 1])
    }

    #[test]
    fn distances_that_are_no_distances_go_nowhere() {
        let mut mover = MazeMover::new([0, 0]);
        mover.wanted = Some(Heading::PosX);
        for distance in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(mover.advance(distance, open_in(&row(9))), 0.0);
        }
        assert_eq!((mover.cell(), mover.offset()), (Cell::new(0, 0), 0.0));
    }

    #[test]
    fn turning_back_works_between_tiles() {
        let map = row(3);
        let mut mover = MazeMover::new([0, 0]);
        mover.wanted = Some(Heading::PosX);
        mover.advance(1.25, open_in(&map));
        mover.wanted = Some(Heading::NegX);
        mover.advance(0.125, open_in(&map));
        assert_eq!((mover.cell(), mover.offset()), (Cell::new(2, 0), 0.875));
        assert_eq!(mover.position(&map), Vec2::new(3.25, 0.5));
        assert_eq!(mover.advance(9.0, open_in(&map)), 1.125);
        assert_eq!(mover.position(&map), map.cell_center([0, 0]));
    }

    #[test]
    fn a_tunnel_leads_to_the_other_side_and_never_holds_up_the_frame() {
        let map = row(4);
        let inside = open_in(&map);
        let tunnel = |cell: Cell, heading: Heading| {
            let out = heading == Heading::PosX && cell.column == 3;
            if out { Some(Cell::new(0, cell.row)) } else { inside(cell, heading) }
        };
        let mut mover = MazeMover::new([3, 0]);
        mover.wanted = Some(Heading::PosX);
        mover.advance(0.5, tunnel);
        assert_eq!(mover.position(&map), Vec2::new(8.0, 0.5)); // at the very edge
        mover.advance(0.75, tunnel);
        assert_eq!((mover.cell(), mover.offset()), (Cell::new(0, 0), 0.25));
        assert_eq!(mover.advance(f32::MAX, tunnel), 65_536.0);
    }

    #[test]
    fn no_part_of_the_way_is_lost_at_the_middles() {
        let map = row(1000);
        let mut mover = MazeMover::new([0, 0]);
        mover.wanted = Some(Heading::PosX);
        (0..5000).for_each(|_| assert_eq!(mover.advance(0.1875, open_in(&map)), 0.1875));
        assert_eq!((mover.cell().column, mover.offset()), (937, 0.5));
    }
}
