// The threat room's door to Python.
#include "bindings.hpp"

#include <algorithm>
#include <tuple>

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "board.hpp"
#include "line_patterns.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace tengen {
namespace {

using Found = std::tuple<int, int, int, int>;

// The segments that hold no stone of the other colour, at least `least` of this one, and an empty square: direction,
// first square, stones; in the order in which a window slides along the lines of each direction.
std::vector<Found> active_segments(const Board& board, int colour, int least) {
    if (colour != black && colour != white) throw nb::value_error("a colour is 0 (black) or 1 (white)");
    std::vector<Found> found;
    board.each_segment([&](const Board::Segment& s) {
        const int mine = colour == black ? s.black : s.white, theirs = colour == black ? s.white : s.black;
        if (theirs == 0 && mine >= least && mine < board.k()) found.emplace_back(s.direction, s.x, s.y, mine);
    });
    std::sort(found.begin(), found.end());
    return found;
}

std::string as_cells(const std::string& text) {
    std::string cells;
    for (char letter : text) {
        if (letter != 'X' && letter != '.' && letter != '#') throw nb::value_error("a line is written with X, . and #");
        cells.push_back(char(letter == 'X' ? LinePatterns::own : letter == '.' ? LinePatterns::empty : LinePatterns::blocked));
    }
    return cells;
}

// Of each square of the board, row by row from below, in each direction, for each colour: the three levels of a point
// (of an occupied square, zeros), as 16-bit numbers.
nb::bytes survey(LinePatterns& patterns, const Board& board, bool endless) {
    std::vector<LinePatterns::Level> levels(std::size_t(board.width()) * std::size_t(board.height()) * Board::directions * 6);
    for (int colour : {black, white})
        patterns.survey(board, colour, endless, [&](int x, int y, int d, const LinePatterns::Point& point) {
            const int square = (y - board.bottom()) * board.width() + (x - board.left());
            LinePatterns::Level* out = levels.data() + (std::size_t(square) * Board::directions + std::size_t(d)) * 6 + colour * 3;
            out[0] = point.now;
            out[1] = point.extended;
            out[2] = point.cut;
        });
    return nb::bytes(reinterpret_cast<const char*>(levels.data()), levels.size() * sizeof(LinePatterns::Level));
}

}  // namespace

void bind_threats(nb::module_& m) {
    m.attr("ROW_LEVEL") = int(LinePatterns::row);
    m.def("active_segments", &active_segments, "board"_a, "colour"_a, "least"_a);

    nb::class_<LinePatterns>(m, "LinePatterns")
        .def(nb::init<int, int>(), "k"_a, "p"_a)
        .def_prop_ro("need", &LinePatterns::need)
        .def_prop_ro("reach", &LinePatterns::reach)
        .def_prop_ro("bytes", &LinePatterns::bytes)
        .def_prop_ro("entries", &LinePatterns::entries)
        .def("level", [](LinePatterns& l, const std::string& line) { return int(l.level(as_cells(line))); }, "line"_a)
        .def("points", [](LinePatterns& l, const std::string& line) {
            std::vector<std::tuple<int, int, int, int>> points;
            l.each_point(as_cells(line), [&](int place, const LinePatterns::Point& point) {
                points.emplace_back(place, point.now, point.extended, point.cut);
            });
            return points;
        }, "line"_a)
        .def("survey", &survey, "board"_a, "endless"_a);
}

}  // namespace tengen
