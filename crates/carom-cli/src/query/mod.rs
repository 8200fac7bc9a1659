//! `carom query`: answers queries, one JSON object per line.

mod request;
mod stream;

pub use stream::answer_stream;

/// The help text after the options.
pub const HELP: &str = r##"Each line is a query. The responses come in the same order, one line each:
  {"op":"intersects","a":SHAPE,"b":SHAPE}            {"intersects":true}
  {"op":"overlaps","a":SHAPE,"b":SHAPE}              {"overlaps":false}
  {"op":"contains","a":SHAPE,"b":SHAPE}              {"contains":true}
  {"op":"contact","a":SHAPE,"b":SHAPE}               {"contact":null} or
      {"contact":{"normal":[x,y],"depth":d,"push":[x,y],"points":[[x,y]…]}}
  {"op":"distance","a":SHAPE,"b":SHAPE}              {"distance":d,"on_a":[x,y],"on_b":[x,y]}
  {"op":"sweep","a":SHAPE,"b":SHAPE,"motion":[x,y]}  {"hit":null} or
      {"hit":{"time":t,"normal":[x,y],"point":[x,y],"depth":d}}
      optional: "turn":radians about "pivot":[x,y] [default: the centroid of a]
  {"op":"raycast","origin":[x,y],"direction":[x,y],"max":m,"b":SHAPE}  {"hit":null} or
      {"hit":{"distance":d,"point":[x,y],"normal":[x,y],"exit":d2}}
An "id" of any type is echoed. An invalid line gives {"id":…,"error":"…"}; the next lines are still answered.

SHAPE is one of these, each with an optional "pose":{"position":[x,y],"angle":r,"scale":s}:
  {"type":"point","at":[x,y]}
  {"type":"segment","a":[x,y],"b":[x,y]}
  {"type":"circle","center":[x,y],"radius":r}
  {"type":"ellipse","center":[x,y],"radii":[a,b],"angle":r}
  {"type":"capsule","a":[x,y],"b":[x,y],"radius":r}
  {"type":"aabb","min":[x,y],"max":[x,y]}
  {"type":"rect","center":[x,y],"half":[w,h],"angle":r}
  {"type":"triangle","points":[[x,y],[x,y],[x,y]]}
  {"type":"convex","points":[[x,y]…],"radius":r}
  {"type":"polygon","outer":[[x,y]…],"holes":[[[x,y]…]…]}
  {"type":"chain","points":[[x,y]…],"closed":false,"one_sided":false}
  {"type":"mask","origin":[x,y],"pixel":1.0,"rows":["..##.",".###."]}
  {"type":"tiles","origin":[x,y],"tile":[w,h],"rows":["#..","#-."],
      "legend":{"#":"solid","-":"one_way","/":"slope_up","\\":"slope_down"}}
  {"type":"compound","parts":[SHAPE…]}

Example:
  echo '{"op":"distance","a":{"type":"point","at":[0,0]},"b":{"type":"point","at":[3,4]}}' \
    | carom query

Exit codes: 0 success, even if lines were invalid; 1 I/O error; 2 invalid arguments."##;
