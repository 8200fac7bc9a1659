//! Plays that once failed.

use super::*;

/// A world of boxes, for the faults that were once found.
fn play(items: Vec<Item>, motions: &[[f32; 2]]) -> Vec<(Vec<Vec2>, BTreeSet<usize>)> {
    let play = Play { items, motions: motions.to_vec() };
    check(&play).unwrap();
    Stage::new(&play, Image::Same).positions(|_, _| true)
}

#[test]
fn the_lower_of_two_stacked_riders_is_not_squashed_aside_and_up() {
    let items = vec![
        item(Platform, Block([5.0, 0.25]), [0.0, -0.25]),
        item(Walks, Block([0.5, 0.5]), [0.0, 0.5]),
        item(Walks, Block([0.5, 0.5]), [-0.3, 1.5]),
    ];
    let (positions, squashed) = play(items.clone(), &[[0.1, 0.01]]).remove(0);
    assert!(squashed.is_empty());
    assert!((positions[1] - Vec2::new(0.1, 0.51)).length() < 1e-6, "{positions:?}");
    assert!((positions[2] - Vec2::new(-0.2, 1.51)).length() < 1e-6, "{positions:?}");
    // On a circle, for several rounds.
    let circle = |i: u16| {
        let angle = f32::from(i) * 0.1;
        [0.2 * libm::cosf(angle), 0.2 * libm::sinf(angle)]
    };
    let motions: Vec<[f32; 2]> = (0..340).map(circle).collect();
    assert!(play(items, &motions).iter().all(|(_, squashed)| squashed.is_empty()));
}

#[test]
fn a_body_with_room_is_not_squashed_by_one_that_overlaps_it_by_a_rounding_error() {
    for overlap in [0.0, 1e-7, 5e-7] {
        let items = vec![
            item(Platform, Block([0.5, 0.5]), [-1.0, 0.0]),
            item(Crate, Block([0.5, 0.5]), [0.0, 0.0]),
            item(Crate, Block([0.5, 0.5]), [1.0 - overlap, 0.0]),
        ];
        let (positions, squashed) = play(items, &[[0.5, 0.0]]).remove(0);
        assert!(squashed.is_empty(), "{overlap}");
        assert!((positions[1].x - 0.5).abs() < 1e-6 && (positions[2].x - 1.5).abs() < 1e-6);
    }
}

#[test]
fn riders_are_not_squashed_by_the_last_bit() {
    // A stack that fits under a ceiling, with numbers that round.
    let mut random = Random(11);
    for _ in 0..500 {
        let [x, low, high] = [0; 3].map(|_| random.between(0.1, 0.9));
        let motion = random.between(0.01, 0.1);
        let top = 2.0 * (low + high) + motion;
        let items = vec![
            item(Platform, Block([3.0, 0.25]), [x, -0.25]),
            item(Walks, Block([0.3, low]), [x, low]),
            item(Walks, Block([0.2, high]), [x, 2.0 * low + high]),
            item(Fixed, Block([3.0, 0.5]), [x, top + 0.5]),
        ];
        let (_, squashed) = play(items.clone(), &[[0.0, motion]]).remove(0);
        assert!(squashed.is_empty(), "{items:?}");
    }
}

#[test]
fn a_rider_on_two_lifts_is_lifted_once_and_not_left_behind() {
    for motion in [[0.0, 0.1], [0.0, -0.1], [0.1, 0.0], [0.1, 0.1], [-0.1, -0.1], [0.1, -0.02]] {
        for x in [-0.125, 0.0625] {
            let items = vec![
                item(Platform, Block([1.0, 0.25]), [-1.25, -0.25]),
                item(Platform, Block([1.0, 0.25]), [1.25, -0.25]),
                item(Walks, Block([0.5, 0.5]), [x, 0.5]),
            ];
            let motions = [motion; 5];
            let last = play(items, &motions).pop().unwrap();
            let expected = Vec2::new(x, 0.5) + Vec2::from(motion) * 5.0;
            assert!((last.0[2] - expected).length() < 1e-5, "{motion:?}: {:?}", last.0[2]);
            assert!(last.1.is_empty());
        }
    }
}

#[test]
fn the_hind_one_of_two_touching_riders_is_not_left_behind() {
    // By position, the long one is ahead; by shape, it is behind.
    let items = vec![
        item(Platform, Block([5.0, 0.25]), [0.0, -0.25]),
        item(Walks, Poly(vec![[-3.0, 0.0], [0.0, 0.0], [0.0, 1.0], [-3.0, 1.0]]), [0.0, 0.0]),
        item(Walks, Poly(vec![[1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0]]), [-1.0, 0.0]),
    ];
    for motion in [[0.25, 0.0], [-0.25, 0.0]] {
        let (positions, _) = play(items.clone(), &[motion]).remove(0);
        assert_eq!(positions[1], Vec2::from(motion));
        assert_eq!(positions[2], Vec2::new(-1.0, 0.0) + Vec2::from(motion));
    }
}

#[test]
fn a_crate_on_the_head_of_a_rider_is_lifted_with_it() {
    let items = vec![
        item(Platform, Block([2.0, 0.25]), [0.0, -0.25]),
        item(Walks, Block([0.5, 1.0]), [0.0, 1.0]),
        item(Crate, Block([0.5, 0.5]), [0.0, 2.5]),
    ];
    let (positions, squashed) = play(items, &[[0.125, 0.25]]).remove(0);
    assert!(squashed.is_empty());
    assert_eq!(positions[1], Vec2::new(0.125, 1.25));
    assert_eq!(positions[2], Vec2::new(0.0, 2.75)); // it does not stand there: it is only lifted
}

#[test]
fn a_rider_at_the_edge_of_a_platform_that_goes_aside_and_up_is_not_left_behind() {
    let items = vec![
        item(Platform, Block([1.25, 0.25]), [0.0, -0.25]),
        item(Walks, Block([0.25, 0.5]), [1.25, 0.5]),
    ];
    play(items, &[[-0.301_513_94, 0.082_131_58]]);
}

#[test]
fn a_body_under_the_edge_of_a_crusher_is_moved_aside() {
    let crushed = |x: f32| {
        let items = vec![
            item(Platform, Block([1.0, 0.5]), [0.0, 2.5]),
            item(Crate, Block([0.5, 1.0]), [x, 1.0]),
            item(Fixed, Block([9.0, 0.5]), [0.0, -0.5]),
        ];
        play(items, &[[0.0, -0.25]]).remove(0)
    };
    let (positions, squashed) = crushed(1.375); // under the edge by 0.125
    assert_eq!((positions[1], squashed.len()), (Vec2::new(1.5, 1.0), 0));
    assert_eq!(crushed(1.0).1.len(), 1);
}

#[test]
fn a_rider_follows_a_neighbour_that_catches_up() {
    check(&Play {
        items: vec![
            item(Platform, Block([3.5, 0.25]), [0.0, -0.25]),
            item(Crate, Block([0.5, 1.0]), [-0.75, 2.5]),
            item(Walks, Block([0.5, 1.0]), [0.25, 1.0]),
            item(Walks, Block([0.5, 0.5]), [1.25, 0.5]),
        ],
        motions: vec![[-0.0625, -0.25], [-0.0625, -0.25]],
    })
    .unwrap();
}

#[test]
fn a_rider_follows_a_neighbour_that_a_crate_has_stopped() {
    check(&Play {
        items: vec![
            item(Platform, Block([2.0090513, 0.25]), [3.893702, -0.25]),
            item(Crate, Ball(0.716159), [0.1620093, 0.716159]),
            item(Walks, Block([0.63511163, 0.97097427]), [1.7117054, 0.97097427]),
            item(Walks, Block([0.4049822, 0.77385914]), [2.8276463, 0.77385914]),
        ],
        motions: vec![
            [-0.38395047, -0.24642165],
            [-0.28904173, -0.35298225],
            [-0.16585575, -0.42500997],
            [-0.026443884, -0.45545837],
        ],
    })
    .unwrap();
}

#[test]
fn a_rider_is_not_pushed_into_its_platform_by_a_body_above_it() {
    check(&Play {
        items: vec![
            item(Platform, Block([3.5, 0.25]), [0.0, -0.25]),
            item(Walks, Pill(0.75, 0.25), [-0.5, 1.0]),
            item(Walks, Block([0.25, 1.0]), [0.0, 3.0]),
        ],
        motions: vec![[0.3125, 0.0]],
    })
    .unwrap();
}

#[test]
fn a_round_rider_on_a_platform_and_on_the_ground_has_one_support_in_every_order() {
    check(&Play {
        items: vec![
            item(Platform, Block([4.25, 0.25]), [0.0, -0.25]),
            item(Walks, Pill(0.25, 0.75), [0.0, 1.0]),
            item(Fixed, Block([0.25, 0.75]), [-0.25, -1.25]),
        ],
        motions: vec![[-0.0625, -0.25], [-0.0625, -0.25], [-0.0625, -0.25]],
    })
    .unwrap();
}

#[test]
fn a_ball_is_not_pushed_into_its_platform_by_the_corner_of_a_box() {
    check(&Play {
        items: vec![
            item(Platform, Block([2.0, 0.25]), [0.0, -0.25]),
            item(Walks, Ball(0.5), [0.25, 0.5]),
            item(Walks, Block([0.25, 0.25]), [0.75, 1.25]),
        ],
        motions: vec![[0.3125, 0.0]],
    })
    .unwrap();
}

#[test]
fn a_capsule_on_a_circling_platform_is_not_squashed_by_a_rider_above_it() {
    check(&Play {
        items: vec![
            item(Platform, Block([2.013885, 0.25]), [0.0, -0.25]),
            item(Walks, Pill(0.62670153, 0.7342372), [-0.37429857, 1.3609388]),
            item(Walks, Block([0.2517689, 0.79554]), [0.056631356, 3.5174174]),
            item(Crate, Block([0.6093547, 0.2571806]), [0.96929324, 0.2571806]),
        ],
        motions: vec![
            [-0.27182603, -0.32044414],
            [-0.1743346, -0.3823366],
            [-0.06367725, -0.4153541],
            [0.05178933, -0.4170032],
            [0.16334449, -0.3871594],
            [0.2625637, -0.32807642],
            [0.3419535, -0.24421635],
            [0.3955182, -0.14191252],
        ],
    })
    .unwrap();
}

#[test]
fn a_body_that_gets_free_in_the_end_is_not_squashed() {
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-4.5, -0.5406934],
                    [4.5, -0.4593066],
                    [4.5, 0.040693402],
                    [-4.5, -0.040693402],
                ]),
                [0.0, 0.0],
            ),
            item(Walks, Block([0.5, 0.75]), [1.75, 0.771251]),
            item(Walks, Block([0.25, 1.0]), [2.5, 1.0253203]),
            item(Walks, Block([0.5, 0.25]), [3.25, 0.28481546]),
            item(Crate, Block([0.25, 0.25]), [3.75, 0.7848155]),
        ],
        motions: vec![[0.3125, 0.25], [0.3125, 0.25], [0.3125, 0.25], [0.3125, 0.25]],
    })
    .unwrap();
}

#[test]
fn a_rider_on_two_round_bodies_has_one_support_in_every_order() {
    check(&Play {
        items: vec![
            item(Platform, Block([4.0, 0.25]), [0.0, -0.25]),
            item(Crate, Ball(0.5), [-2.25, 0.5]),
            item(Walks, Block([0.75, 0.25]), [-1.75, 1.25]),
            item(Walks, Pill(0.25, 0.25), [-1.5000001, 0.5]),
        ],
        motions: vec![[0.3125, 0.0]],
    })
    .unwrap();
}

#[test]
fn bodies_above_a_rider_on_a_rising_slope_are_lifted_in_their_order() {
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-4.75, 0.69504595],
                    [4.75, -1.695046],
                    [4.75, -1.195046],
                    [-4.75, 1.195046],
                ]),
                [0.0, 0.0],
            ),
            item(Walks, Block([0.25, 0.5]), [-1.0, 0.8270652]),
            item(Crate, Block([0.75, 1.0]), [-1.0, 2.3270652]),
            item(Walks, Block([0.5, 0.75]), [0.5, 0.7751589]),
            item(Crate, Block([0.75, 0.75]), [0.75, 2.275159]),
            item(Walks, Block([0.75, 0.25]), [0.5, 3.275159]),
        ],
        motions: vec![[0.0, 0.3125], [0.0, 0.3125]],
    })
    .unwrap();
}

#[test]
fn a_row_on_a_slope_that_goes_aside_has_room() {
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-3.441894, 1.5596242],
                    [3.441894, -2.5596242],
                    [3.441894, -2.0596242],
                    [-3.441894, 2.0596242],
                ]),
                [0.0, 0.0],
            ),
            item(Crate, Block([0.4980708, 0.40759298]), [-0.111991435, 0.8322623]),
            item(Crate, Block([0.38381165, 0.57104033]), [0.769891, 0.38594547]),
            item(Walks, Block([0.54271996, 0.40333912]), [1.8138711, -0.2923632]),
            item(Walks, Block([0.6762993, 0.44361645]), [1.8614948, 0.5545924]),
            item(Crate, Block([0.75149965, 0.42500326]), [3.4472923, 0.0515275]),
        ],
        motions: vec![[0.4208396, 0.036821295], [0.4208396, 0.036821295]],
    })
    .unwrap();
}

/// It is equally deep in its platform and in its neighbour, by the last bit.
#[test]
fn a_body_is_taken_out_of_equally_deep_ones_at_once() {
    check(&Play {
        items: vec![
            item(Platform, Block([2.0469484, 0.25]), [0.0, -0.25]),
            item(Walks, Block([0.49113244, 0.49919936]), [1.2831199, 0.49919936]),
            item(Walks, Block([0.3580332, 0.5843617]), [2.1322856, 0.5843617]),
            item(Walks, Block([0.35082826, 0.3950227]), [2.4912908, 1.563746]),
            item(Walks, Block([0.7230403, 0.7744372]), [3.6249456, 0.7744372]),
        ],
        motions: vec![[0.49565193, 0.049926296], [0.49565193, 0.049926296]],
    })
    .unwrap();
}

/// The crate beside stops the upper one, and the round head below has to go under it.
#[test]
fn a_capsule_under_a_stopped_box_has_room_beside_it() {
    check(&Play {
        items: vec![
            item(Platform, Block([4.9441795, 0.25]), [0.0, -0.25]),
            item(Crate, Pill(0.5178453, 0.5259141), [-3.111199, 1.0437593]),
            item(Walks, Block([0.34693736, 0.8750027]), [-2.7222567, 2.9625213]),
            item(Crate, Block([0.43846712, 0.35571936]), [-1.3940384, 2.0863001]),
        ],
        motions: vec![[0.32269666, 0.2102634]; 2],
    })
    .unwrap();
    check(&Play {
        items: vec![
            item(Platform, Block([4.737204, 0.25]), [0.0, -0.25]),
            item(Crate, Pill(0.70578665, 0.303528), [-2.9393537, 1.0093147]),
            item(Walks, Block([0.32959068, 0.80355686]), [-2.5665205, 2.8221862]),
            item(Crate, Block([0.73598015, 0.6939936]), [-0.5456047, 2.1322582]),
        ],
        motions: vec![[0.37571698, 0.13543986]; 3],
    })
    .unwrap();
}

#[test]
fn a_ball_between_stacks_on_a_slope_has_room() {
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-4.858618, -1.8660377],
                    [4.858618, 0.8660377],
                    [4.858618, 1.3660377],
                    [-4.858618, -1.3660377],
                ]),
                [0.0, 0.0],
            ),
            item(Crate, Block([0.40683496, 0.53713274]), [-0.93522906, 0.41144764]),
            item(Crate, Block([0.34107968, 0.7394408]), [-0.7246561, 1.6880212]),
            item(Walks, Block([0.52598715, 0.3715819]), [-0.0024069548, 0.54836756]),
            item(Walks, Ball(0.34573656), [0.9799654, 0.73790914]),
            item(Walks, Block([0.58029944, 0.69694996]), [1.4109337, 1.7805957]),
            item(Crate, Block([0.5554626, 0.2724685]), [1.4514978, 2.7500143]),
        ],
        motions: vec![[0.35115027, 0.16395853]; 5],
    })
    .unwrap();
}

#[test]
fn a_rider_on_a_rider_rounds_alike_in_a_mirror() {
    check(&Play {
        items: vec![
            item(Platform, Block([2.75, 0.25]), [0.0, -0.25]),
            item(Walks, Block([0.5, 0.5]), [-1.75, 0.5]),
            item(Walks, Block([0.5, 0.75]), [-1.75, 1.75]),
            item(Walks, Block([0.75, 0.5]), [-0.5000001, 0.5]),
        ],
        motions: vec![[-0.17763315, 0.2571045]],
    })
    .unwrap();
}

#[test]
fn a_one_way_platform_lifts_a_rider_out_of_its_neighbour() {
    check(&Play {
        items: vec![
            item(OneWayPlatform, Block([1.2243865, 0.25]), [0.0, -0.25]),
            item(Crate, Pill(0.67878556, 0.5191251), [0.47786126, 1.1979107]),
            item(Walks, Block([0.38021928, 0.3647523]), [1.3772056, 0.3647523]),
            item(Walks, Block([0.52172786, 0.5169393]), [2.2791526, 0.5169393]),
        ],
        motions: vec![[0.0, 0.21629184]],
    })
    .unwrap();
}

#[test]
fn the_top_of_a_stack_under_a_ceiling_is_squashed_only_if_it_overlaps() {
    check(&Play {
        items: vec![
            item(Platform, Block([2.676883, 0.25]), [0.0, -0.25]),
            item(Walks, Block([0.37964994, 0.40682238]), [0.054411232, 0.40682238]),
            item(Walks, Block([0.5508132, 0.646873]), [0.0742282, 1.4605178]),
            item(Walks, Block([0.27342322, 0.30364326]), [0.388543, 2.411034]),
            item(Fixed, Block([9.0, 0.5]), [0.0, 4.3247004]),
        ],
        motions: vec![
            [-0.23131992, 0.21691012],
            [-0.120127514, 0.2934762],
            [0.012837793, 0.31685027],
            [0.14347623, 0.28279582],
        ],
    })
    .unwrap();
}

#[test]
fn a_rider_behind_a_neighbour_under_a_falling_one_is_not_left_behind() {
    check(&Play {
        items: vec![
            item(Platform, Block([1.712892, 0.25]), [0.0, -0.25]),
            item(Walks, Block([0.7341075, 0.98974866]), [0.24027947, 0.98974866]),
            item(Walks, Block([0.4081886, 0.62520206]), [0.5601579, 2.6046994]),
            item(Walks, Block([0.62218493, 0.4172663]), [1.8713398, 0.4172663]),
            item(Walks, Block([0.38128006, 0.5832615]), [1.9257721, 2.7670007]),
            item(Crate, Block([0.5780413, 0.30366182]), [3.071566, 0.30366182]),
        ],
        motions: vec![[0.16917115, 0.16099198]; 4],
    })
    .unwrap();
}

#[test]
fn stacks_on_a_slope_that_goes_aside_do_not_overlap() {
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-3.1821232, 0.8858092],
                    [3.1821232, -1.8858092],
                    [3.1821232, -1.3858092],
                    [-3.1821232, 1.3858092],
                ]),
                [0.0, 0.0],
            ),
            item(Crate, Block([0.7411128, 0.5030194]), [0.06989533, 0.85988414]),
            item(Walks, Block([0.52348685, 0.72901833]), [0.4417254, 2.0919218]),
            item(Walks, Block([0.6174375, 0.2824742]), [1.4372721, -0.020783752]),
            item(Walks, Block([0.5620125, 0.8034315]), [1.7861935, 1.0651219]),
            item(Walks, Block([0.67598176, 0.7300004]), [1.6888436, 2.5985537]),
            item(Crate, Block([0.5678562, 0.34881967]), [2.6225657, -0.4965427]),
        ],
        motions: vec![[0.3597878, 0.0]; 3],
    })
    .unwrap();
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-1.7193733, 0.37001765],
                    [1.7193733, -1.3700176],
                    [1.7193733, -0.87001765],
                    [-1.7193733, 0.87001765],
                ]),
                [0.0, 0.0],
            ),
            item(Walks, Block([0.6418264, 0.2750207]), [1.4874322, -0.08790919]),
            item(Walks, Block([0.66940236, 0.2620906]), [1.537597, 0.4492021]),
            item(Walks, Block([0.727649, 0.8878431]), [1.8110843, 1.5991358]),
            item(Crate, Block([0.6614237, 0.51243544]), [3.1484263, -0.679072]),
            item(Walks, Block([0.40240583, 0.8588115]), [3.1694102, 2.622799]),
        ],
        motions: vec![[0.4351845, 0.18646547]; 3],
    })
    .unwrap();
}

/// Seed 50009045: the box on the ball lifted the crate too little, four times, and the ball was squashed.
#[test]
fn a_ball_under_a_box_under_a_crate_is_not_squashed_by_a_rising_platform() {
    check(&Play {
        items: vec![
            item(Platform, Block([4.5, 0.25]), [0.0, -0.25]),
            item(Walks, Block([0.5, 0.75]), [-1.5, 0.75]),
            item(Walks, Ball(0.75), [-0.25000012, 0.75]),
            item(Walks, Block([0.25, 0.25]), [0.24999988, 1.75]),
            item(Crate, Block([0.5, 0.75]), [0.7499999, 3.25]),
        ],
        motions: vec![[0.07488078, 0.30339596]; 4],
    })
    .unwrap();
}

/// A box came down between a ball and a rider, and went up again. The rider stayed aside.
#[test]
fn a_rider_that_was_pushed_aside_for_a_moment_returns() {
    check(&Play {
        items: vec![
            item(Platform, Block([1.75, 0.25]), [0.0, -0.25]),
            item(Walks, Ball(0.5), [-0.25, 0.5]),
            item(Walks, Block([0.25, 1.0]), [0.25, 2.0]),
            item(Walks, Block([0.25, 1.0]), [0.75, 1.0]),
            item(Walks, Block([0.75, 1.0]), [1.0, 5.0]),
        ],
        motions: vec![[0.0, 0.3125]; 4],
    })
    .unwrap();
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-4.75, 0.5539273],
                    [4.75, -1.5539273],
                    [4.75, -1.0539273],
                    [-4.75, 1.0539273],
                ]),
                [0.0, 0.0],
            ),
            item(Walks, Block([0.25, 0.5]), [-1.0, 0.78844327]),
            item(Crate, Block([0.75, 0.5]), [-0.75, 1.7884433]),
            item(Walks, Block([0.25, 0.5]), [-0.5000001, 0.6775036]),
            item(Walks, Block([0.5, 0.75]), [0.49999988, 0.77218795]),
        ],
        motions: vec![[-0.022419613, 0.31169474]],
    })
    .unwrap();
}

/// The free position nearest to its stop, between the platform and the corner above, was far behind the rider.
#[test]
fn a_capsule_under_a_corner_does_not_jump_back() {
    let items = vec![
        item(Platform, Block([2.5, 0.25]), [0.0, -0.25]),
        item(Walks, Pill(0.25, 0.25), [1.0, 0.5]),
        item(Walks, Block([0.25, 0.75]), [1.25, 1.75]),
        item(Crate, Block([0.5, 0.75]), [2.0, 3.25]),
    ];
    let (positions, _) = play(items, &[[0.2848381, 0.12854378]]).remove(0);
    assert!((positions[1].x - 1.2848381).abs() < 1e-3, "{positions:?}");
}

/// The corner above it keeps the capsule from the last 0.0003: there, it would be lifted by a rounding error.
#[test]
fn a_capsule_lifts_a_corner_over_its_top() {
    check(&Play {
        items: vec![
            item(Platform, Block([4.5, 0.25]), [0.0, -0.25]),
            item(Walks, Pill(0.5, 0.75), [-2.75, 1.25]),
            item(Crate, Block([0.25, 1.0]), [-2.25, 3.5]),
        ],
        motions: vec![[0.3125, 0.25]],
    })
    .unwrap();
}

/// A body that was pushed out of the one below it went into the one above it, which the ceiling held.
#[test]
fn bodies_that_are_crushed_against_a_ceiling_do_not_overlap_each_other() {
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-3.3144436, 0.16902208],
                    [3.3144436, -1.1690221],
                    [3.3144436, -0.6690221],
                    [-3.3144436, 0.6690221],
                ]),
                [0.0, 0.0],
            ),
            item(Crate, Block([0.7274659, 0.6477493]), [-2.1565733, 1.259262]),
            item(Crate, Block([0.6090504, 0.86272407]), [-2.0491273, 2.7697353]),
            item(Walks, Block([0.6531944, 0.32673317]), [-2.1292102, 3.9591925]),
            item(Walks, Block([0.42572147, 0.4342516]), [-1.003386, 0.7399041]),
            item(Crate, Block([0.7408049, 0.58606774]), [-0.5346873, 1.7602234]),
            item(Walks, Block([0.46102095, 0.39612073]), [-0.662303, 2.7424119]),
            item(Fixed, Block([9.0, 0.5]), [0.0, 4.991331]),
        ],
        motions: vec![[0.0, 0.30695447]; 5],
    })
    .unwrap();
    check(&Play {
        items: vec![
            item(Platform, Block([3.6781325, 0.25]), [0.0, -0.25]),
            item(Walks, Block([0.34725302, 0.3218823]), [-1.2023213, 0.3218823]),
            item(Crate, Ball(0.33463755), [-0.5204308, 0.33463755]),
            item(Walks, Pill(0.6453216, 0.50668514), [0.32089192, 1.1520067]),
            item(Crate, Block([0.52613807, 0.7729111]), [0.64670545, 3.0769246]),
            item(Fixed, Block([9.0, 0.5]), [0.0, 4.806157]),
        ],
        motions: vec![
            [-0.047158834, 0.09434124],
            [-0.048994888, 0.093400896],
            [-0.050812215, 0.09242481],
            [-0.05261011, 0.09141336],
            [-0.054387856, 0.09036696],
        ],
    })
    .unwrap();
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-2.3697605, -0.77343917],
                    [2.3697605, -0.2265608],
                    [2.3697605, 0.2734392],
                    [-2.3697605, -0.2734392],
                ]),
                [0.0, 0.0],
            ),
            item(Walks, Block([0.3191051, 0.70431495]), [-0.2815606, 0.71601117]),
            item(Crate, Block([0.5474851, 0.62908536]), [-0.048537, 2.0494115]),
            item(Walks, Block([0.41664755, 0.38447413]), [-0.12484296, 3.0629709]),
            item(Fixed, Block([9.0, 0.5]), [0.0, 4.1439962]),
        ],
        motions: vec![[0.16643906, 0.05390623]; 4],
    })
    .unwrap();
}

/// The body above it was moved aside last, to where it had room, and the rider did not try again.
#[test]
fn a_rider_returns_when_the_body_above_it_has_found_room() {
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-4.5, -1.5837272],
                    [4.5, 0.58372724],
                    [4.5, 1.0837272],
                    [-4.5, -1.0837272],
                ]),
                [0.0, 0.0],
            ),
            item(Walks, Block([0.25, 0.5]), [-2.5, -0.02982223]),
            item(Walks, Block([0.5, 0.5]), [-2.5, 0.97017777]),
            item(Walks, Block([0.5, 0.5]), [-1.5, 1.0905919]),
            item(Walks, Block([0.75, 1.0]), [-1.75, 2.590592]),
            item(Fixed, Block([9.0, 0.5]), [0.0, 5.25]),
        ],
        motions: vec![[0.0625, 0.25]; 7],
    })
    .unwrap();
}

#[test]
fn a_body_as_deep_in_a_platform_in_two_directions_leaves_it_alike_in_a_mirror() {
    check(&Play {
        items: vec![
            item(OneWayPlatform, Block([1.5, 0.25]), [0.0, -0.25]),
            item(Platform, Block([2.75, 0.25]), [4.25, -0.25]),
            item(Walks, Ball(0.5), [0.75, 0.5]),
            item(Walks, Block([0.25, 0.75]), [1.25, 1.75]),
            item(Walks, Block([0.75, 0.25]), [2.5, 0.25]),
        ],
        motions: vec![[0.3125, 0.25]; 4],
    })
    .unwrap();
    check(&Play {
        items: vec![
            item(Platform, Block([2.5, 0.25]), [0.0, -0.25]),
            item(Platform, Block([1.5, 0.25]), [4.0, -0.25]),
            item(Walks, Block([0.5, 0.5]), [2.25, 0.5]),
            item(Crate, Block([0.75, 0.75]), [2.75, 1.75]),
            item(Fixed, Block([9.0, 0.5]), [0.0, 3.0]),
        ],
        motions: vec![[0.3125, 0.25]],
    })
    .unwrap();
    check(&Play {
        items: vec![
            item(OneWayPlatform, Block([1.75, 0.25]), [0.0, -0.25]),
            item(Platform, Block([1.0, 0.25]), [2.75, -0.25]),
            item(Walks, Block([0.75, 1.0]), [1.25, 1.0]),
            item(Crate, Block([0.5, 1.0]), [1.75, 3.0]),
            item(Walks, Block([0.75, 0.25]), [2.75, 0.25]),
        ],
        motions: vec![[0.3125, 0.25]],
    })
    .unwrap();
}

/// It was in the platform by a little more than the tolerance, and did not go on when the one above it had.
#[test]
fn a_capsule_that_is_in_its_platform_by_a_rounding_error_catches_up() {
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-1.0, -0.30322292],
                    [1.0, -0.6967771],
                    [1.0, -0.19677708],
                    [-1.0, 0.19677708],
                ]),
                [0.0, 0.0],
            ),
            item(Walks, Pill(0.5, 0.25), [-0.75, 0.9566159]),
            item(Walks, Block([0.25, 0.75]), [0.49999988, 0.7106446]),
            item(Walks, Block([0.75, 1.0]), [0.9999999, 2.4606447]),
            item(Crate, Block([0.25, 0.25]), [0.7499999, 3.7106447]),
            item(Crate, Block([0.25, 0.25]), [1.4999999, 0.61225605]),
            item(Fixed, Block([0.5, 6.0]), [2.5, 6.5]),
        ],
        motions: vec![[0.3125, 0.25]; 4],
    })
    .unwrap();
}

/// The ball is between two surfaces that are nearly parallel and cross far away. Taking away a rounding error moved
/// it to the crossing.
#[test]
fn a_ball_under_a_load_stays_where_it_is_on_a_slope_that_is_nearly_level() {
    check(&Play {
        items: vec![
            item(
                Platform,
                Poly(vec![
                    [-4.0049105, -0.50013345],
                    [4.0049105, -0.49986658],
                    [4.0049105, 0.0001334396],
                    [-4.0049105, -0.0001334396],
                ]),
                [0.0, 0.0],
            ),
            item(Crate, Block([0.47525847, 0.6381552]), [-1.1484784, 1.241461]),
            item(Walks, Ball(0.29436496), [-0.21490577, 0.29436958]),
            item(Walks, Block([0.4509773, 0.38006186]), [-0.15828143, 0.9687964]),
        ],
        motions: vec![[-0.11691473, 0.19531028]],
    })
    .unwrap();
}
