// The door to maker-breaker games on boards of squares and lines.
#include "bindings.hpp"

#include <nanobind/stl/vector.h>

#include "bind_search.hpp"
#include "maker_breaker.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

namespace mb = maker_breaker;
using mb::Bits;

Bits bits_of(const std::vector<int>& squares, int count) {
    Bits bits = 0;
    for (int square : squares) {
        if (square < 0 || square >= count) throw nb::value_error("a square is off the board");
        bits |= mb::bit(square);
    }
    return bits;
}

mb::Board make_board(int squares, const std::vector<std::vector<int>>& lines, const std::vector<std::vector<int>>& symmetries, int p,
                 const std::vector<int>& reach, const std::vector<int>& reserved) {
    if (squares < 1 || squares > 64 || lines.size() > 64) throw nb::value_error("a board has at most 64 squares and 64 lines");
    if (p < 1 || p > 64) throw nb::value_error("p is 1 to 64");
    if (reach.size() != lines.size()) throw nb::value_error("each line has a reach");
    std::vector<Bits> sets;
    for (const auto& line : lines) sets.push_back(bits_of(line, squares));
    for (const auto& images : symmetries)
        if (int(images.size()) != squares || std::popcount(bits_of(images, squares)) != squares)
            throw nb::value_error("a symmetry names each square once");
    return mb::Board(squares, std::move(sets), symmetries, p, reach, bits_of(reserved, squares));
}

// The board with all that was found out about it.
struct MakerBreaker {
    mb::Board board;
    mb::Search search{board};

    explicit MakerBreaker(mb::Board&& made) : board(std::move(made)) {}
    MakerBreaker(const MakerBreaker&) = delete;
};

}  // namespace

void bind_maker_breaker(nb::module_& m) {
    nb::class_<MakerBreaker>(m, "MakerBreaker", nb::is_final())
        .def(
            "__init__",
            [](MakerBreaker* self, int squares, const std::vector<std::vector<int>>& lines,
               const std::vector<std::vector<int>>& symmetries, int p, const std::vector<int>& reach,
               const std::vector<int>& reserved) {
                new (self) MakerBreaker(make_board(squares, lines, symmetries, p, reach, reserved));
            },
            "squares"_a, "lines"_a, "symmetries"_a, "p"_a, "reach"_a, "reserved"_a)
        .def_prop_ro("positions", [](const MakerBreaker& self) { return self.search.positions(); })
        .def(
            "holds",
            [](MakerBreaker& self, Control& control, Bits lines, Bits stones, std::uint64_t nodes, double seconds,
               nb::object progress) {
                Visits visits(control, std::move(progress));
                Meter meter(control, nodes, seconds);
                int answer = -1;
                {
                    nb::gil_scoped_release release;
                    try {
                        answer = self.search.holds(lines & self.board.all_lines(), stones, meter);
                    } catch (const Stopped&) {
                    }
                }
                visits.rethrow();
                return answer;
            },
            "control"_a, "lines"_a, "stones"_a, "nodes"_a = 0, "seconds"_a = 0.0, "progress"_a.none() = nb::none())
        .def(
            "strategy",
            [](const MakerBreaker& self, Bits lines, Bits stones) {
                std::vector<mb::Search::Node> nodes;
                {
                    nb::gil_scoped_release release;
                    nodes = self.search.strategy(lines & self.board.all_lines(), stones);
                }
                nb::list listed;
                for (const auto& node : nodes) {
                    nb::list answers;
                    for (const auto& answer : node.answers) answers.append(nb::make_tuple(answer.move, answer.reply));
                    listed.append(nb::make_tuple(node.part.lines, node.part.stones, answers));
                }
                return listed;
            },
            "lines"_a, "stones"_a)
        .def(
            "parts",
            [](const MakerBreaker& self, Bits lines, Bits stones) {
                std::vector<std::pair<Bits, Bits>> parts;
                for (const mb::Part& part : self.board.parts(lines & self.board.all_lines(), stones))
                    parts.emplace_back(part.lines, part.stones);
                return parts;
            },
            "lines"_a, "stones"_a);
}

}  // namespace tengen
