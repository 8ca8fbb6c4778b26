// The board's door to Python.
#include "bindings.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "board.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace tengen {
namespace {

nb::list as_tuples(const std::vector<Board::Segment>& segments) {
    nb::list out;
    for (const auto& s : segments) out.append(nb::make_tuple(s.x, s.y, s.direction, s.black, s.white));
    return out;
}

// Places all stones of a move or none of them: one call from Python a move. A stone that does not fit is left for Python
// to name.
int play(Board& board, const std::vector<std::pair<int, int>>& squares, int colour) {
    for (std::size_t placed = 0; placed < squares.size(); ++placed) {
        if (board.place(squares[placed].first, squares[placed].second, colour)) continue;
        while (placed-- > 0) board.remove(squares[placed].first, squares[placed].second);
        return -1;
    }
    return board.has_row(colour);
}

int checked_colour(int colour) {
    if (colour != black && colour != white) throw nb::value_error("a colour is 0 (black) or 1 (white)");
    return colour;
}

}  // namespace

void bind_board(nb::module_& m) {
    m.attr("MAX_K") = int(Board::max_k);
    m.attr("MAX_SIDE") = int(Board::max_side);
    m.def("mix", &mix, "value"_a);

    nb::class_<Board>(m, "Board")
        .def(nb::init<int, int, int, int, int>(), "width"_a, "height"_a, "k"_a, "left"_a = 0, "bottom"_a = 0)
        .def("copy", [](const Board& b) { return Board(b); })
        .def_prop_ro("width", &Board::width)
        .def_prop_ro("height", &Board::height)
        .def_prop_ro("left", &Board::left)
        .def_prop_ro("bottom", &Board::bottom)
        .def_prop_ro("key", &Board::key)
        .def("place", [](Board& b, int x, int y, int colour) { return b.place(x, y, checked_colour(colour)); }, "x"_a,
             "y"_a, "colour"_a)
        .def("play", [](Board& b, const std::vector<std::pair<int, int>>& squares, int colour) { return play(b, squares, checked_colour(colour)); },
             "squares"_a, "colour"_a)
        .def("remove", &Board::remove, "x"_a, "y"_a)
        .def("at", &Board::at, "x"_a, "y"_a)
        .def("contains", &Board::contains, "x"_a, "y"_a)
        .def("count", [](const Board& b, int colour) { return b.count(checked_colour(colour)); }, "colour"_a)
        .def("stones", [](const Board& b, int colour) { return b.stones(checked_colour(colour)); }, "colour"_a)
        .def("has_row", [](const Board& b, int colour) { return b.has_row(checked_colour(colour)); }, "colour"_a)
        .def("row", [](const Board& b, int colour) { return b.row(checked_colour(colour)); }, "colour"_a)
        .def("segments", [](const Board& b) { return as_tuples(b.segments()); })
        .def("segments_through", [](const Board& b, int x, int y) { return as_tuples(b.segments_through(x, y)); },
             "x"_a, "y"_a)
        .def("symmetry_keys", &Board::symmetry_keys, "floating"_a)
        .def("exercise", &Board::exercise, "rounds"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace tengen
