//! The story of the maze: a script walks to the nearest dot, again and again, until all are eaten.

use super::*;
use std::collections::VecDeque;

impl Game {
    /// Returns the first step of the shortest way from the hero's next crossing to a cell for which `is_goal` is true, by a
    /// breadth-first search that avoids some cells.
    fn way_to(&self, is_goal: impl Fn(Cell) -> bool, avoid: &[Cell]) -> Option<Heading> {
        let start = crossing(&self.hero, &self.maze);
        let (mut seen, mut queue) = (vec![start], VecDeque::from([(start, None)]));
        while let Some((cell, first)) = queue.pop_front() {
            if is_goal(cell) && first.is_some() {
                return first;
            }
            for heading in Heading::ALL {
                let Some(next) = exit(&self.maze, cell, heading, false) else { continue };
                if !seen.contains(&next) && !avoid.contains(&next) {
                    seen.push(next);
                    queue.push_back((next, first.or(Some(heading))));
                }
            }
        }
        None
    }

    fn cells_near_ghosts(&self, distance: f32) -> Vec<Cell> {
        let cells = (0..21).flat_map(|row| (0..19).map(move |column| Cell::new(column, row)));
        let near = |cell: &Cell| {
            self.ghosts.iter().any(|ghost| {
                let at = ghost.mover.position(&self.maze);
                ghost.wait == 0 && self.maze.cell_center(*cell).distance(at) < distance
            })
        };
        cells.filter(near).collect()
    }

    fn ghost_cells(&self) -> Vec<Cell> {
        self.ghosts.iter().map(|ghost| ghost.mover.cell()).collect()
    }
}

#[test]
fn a_careful_hero_eats_every_dot() {
    let mut game = Game::new();
    let dots = game.dots_left();
    assert_eq!(dots, MAZE.iter().flat_map(|row| row.chars()).filter(|c| ".o".contains(*c)).count());
    game.lives = 100; // this hero does not plan ahead
    while !game.is_over() {
        // To the nearest dot by a way without ghosts, or else away from the ghosts.
        let (near, far) = (game.cells_near_ghosts(2.5), game.cells_near_ghosts(7.0));
        let has_dot = |cell| game.dots.get(cell) != TileMap::EMPTY;
        let way = game.way_to(has_dot, &near).or(game.way_to(|cell| !far.contains(&cell), &near));
        let before = game.hero.position(&game.maze);
        game.step(way);
        let after = game.hero.position(&game.maze);
        assert!(game.maze.kind(game.hero.cell()).is_empty());
        assert!(
            before.distance(after) < 0.12
                || before.distance(after) > 17.0
                || after == center(&game)
        );
        assert!(game.step < 60_000, "{} dots are left", game.dots_left());
    }
    assert_eq!(game.dots_left(), 0);
    assert!(game.score >= 10 * (dots as u32 - 4) + 50 * 4);
}

fn center(game: &Game) -> Vec2 {
    game.maze.cell_center(game.start)
}

#[test]
fn a_hero_who_stays_in_a_corner_is_caught_three_times() {
    let mut game = Game::new();
    while !game.is_over() {
        game.step(Some(Heading::NegX));
        assert!(game.step < 20_000);
    }
    assert_eq!(game.lives, 0);
}

#[test]
fn the_ghosts_wait_for_the_first_key_in_each_life() {
    let mut game = Game::new();
    while game.lives == 3 {
        (0..100).for_each(|_| game.step(None));
        game.step(Some(Heading::NegX));
        while game.hero.wanted.is_some() {
            game.step(None);
        }
    }
    let step = game.step;
    (0..100).for_each(|_| game.step(None));
    assert_eq!((game.lives, game.step), (2, step));
}

#[test]
fn scared_ghosts_are_eaten_and_come_back() {
    let mut game = Game::new();
    while game.scared_steps == 0 {
        game.step(game.way_to(|cell| game.dots.kind(cell).data() == PILL, &game.ghost_cells()));
        assert!(game.step < 1000 && game.lives == 3, "the hero is at {:?}", game.hero.cell());
    }
    let score = game.score;
    while game.score < score + 200 {
        let ghosts = game.ghost_cells();
        game.step(game.way_to(|cell| ghosts.contains(&cell), &[]));
        assert!(game.scared_steps > 0 && game.lives == 3);
    }
    assert!(game.ghosts.iter().any(|ghost| ghost.wait > 100));
}

#[test]
fn the_tunnel_leads_to_the_other_side() {
    let mut game = Game::new();
    game.hero = MazeMover::new([1, 9]);
    for _ in 0..30 {
        game.step(Some(Heading::NegX));
    }
    assert!(game.hero.position(&game.maze).x > 15.0);
    assert_eq!(game.lives, 3);
}

#[test]
fn two_that_change_places_meet() {
    let mut game = Game::new();
    game.hero = MazeMover::new([4, 3]);
    game.ghosts.truncate(1);
    game.ghosts[0].mover = MazeMover::new([8, 3]);
    while game.lives == 3 {
        game.step(Some(Heading::PosX));
        assert!(game.step < 60, "they passed each other");
    }
}

#[test]
fn screenshot() {
    let mut game = Game::new();
    for _ in 0..700 {
        let way = game.way_to(|cell| game.dots.get(cell) != TileMap::EMPTY, &game.ghost_cells());
        game.step(way);
    }
    carom_examples::screenshot("maze", conf(), move || game.draw());
}
