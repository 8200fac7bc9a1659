//! Colliders from meshes.

use bevy_app::{App, FixedPreUpdate, Plugin};
use bevy_asset::{AssetEvent, AssetId, Assets};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_mesh::{Mesh, Mesh2d, PrimitiveTopology, VertexAttributeValues};
use bevy_reflect::prelude::{Reflect, ReflectDefault};
use carom::shape::{Compound, Shape, Triangle};

use crate::{Collider, InvalidComponent};

/// Creates the [`Collider`] of an entity from its `Mesh2d`, when the mesh is loaded and whenever it changes.
/// Needs the [`CaromMeshPlugin`].
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default, PartialEq)]
pub enum MeshCollider {
    /// The triangles of the mesh, as one shape.
    #[default]
    Triangles,
    /// The convex hull of the vertices.
    ConvexHull,
}

impl Collider {
    /// Creates a collider from the triangles of a mesh, of which x and y are used. Returns `None` if it has
    /// no triangles with an area, or if its data is not accessible.
    pub fn from_mesh(mesh: &Mesh) -> Option<Self> {
        if mesh.primitive_topology() != PrimitiveTopology::TriangleList {
            return None;
        }
        let points = points(mesh)?;
        let indices: Vec<usize> = match mesh.try_indices_option().ok()? {
            Some(indices) => indices.iter().collect(),
            None => (0..points.len()).collect(),
        };
        let triangle = |corners: &[usize]| {
            let [a, b, c] = [0, 1, 2].map(|i| points.get(corners[i]).copied());
            let triangle = Triangle::try_new(a?, b?, c?).ok()?;
            (triangle.area() > 0.0).then(|| Shape::from(triangle))
        };
        let triangles: Vec<Shape> = indices.chunks_exact(3).filter_map(triangle).collect();
        (!triangles.is_empty()).then(|| Self::new(Compound::new(triangles)))
    }

    /// Creates a collider from the convex hull of the vertices of a mesh, of which x and y are used. Returns
    /// `None` if all vertices are on a line.
    pub fn hull_of_mesh(mesh: &Mesh) -> Option<Self> {
        Self::convex_hull(&points(mesh)?)
    }
}

fn points(mesh: &Mesh) -> Option<Vec<Vec2>> {
    match mesh.try_attribute(Mesh::ATTRIBUTE_POSITION).ok()? {
        VertexAttributeValues::Float32x3(points) => {
            Some(points.iter().map(|&[x, y, _]| Vec2::new(x, y)).collect())
        }
        VertexAttributeValues::Float32x2(points) => {
            Some(points.iter().map(|&point| Vec2::from_array(point)).collect())
        }
        _ => None,
    }
}

/// Creates the colliders of [`MeshCollider`]. Needs Bevy's `MeshPlugin`, which is part of the default
/// plugins.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaromMeshPlugin;

impl Plugin for CaromMeshPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<MeshCollider>().add_systems(FixedPreUpdate, create_colliders);
    }
}

fn create_colliders(
    mut commands: Commands,
    meshes: Res<Assets<Mesh>>,
    mut events: MessageReader<AssetEvent<Mesh>>,
    entities: Query<(Entity, Ref<Mesh2d>, Ref<MeshCollider>, Has<Collider>)>,
    mut invalid: MessageWriter<InvalidComponent>,
) {
    let changed: Vec<AssetId<Mesh>> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, handle, kind, has_collider) in &entities {
        let is_changed = handle.is_changed() || kind.is_changed() || changed.contains(&handle.id());
        if has_collider && !is_changed {
            continue;
        }
        let Some(mesh) = meshes.get(&handle.0) else { continue };
        let collider = match *kind {
            MeshCollider::Triangles => Collider::from_mesh(mesh),
            MeshCollider::ConvexHull => Collider::hull_of_mesh(mesh),
        };
        match collider {
            Some(collider) => {
                commands.entity(entity).insert(collider);
            }
            None if is_changed => {
                let reason = "the mesh has no triangles with an area".to_owned();
                invalid.write(InvalidComponent { entity: Some(entity), reason });
            }
            None => {}
        }
    }
}
