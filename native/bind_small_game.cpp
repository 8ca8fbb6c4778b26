// The door to the full solution of small games.
#include "bindings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>

#include "small_strategy.hpp"
#include "visits.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

using namespace small;

// Does one side, the attacker, win?
struct Question {
    Question(int width, int height, int k, int p, bool maker_breaker, Meter& meter, int table_bits, const State& state)
        : state(state),
          rules(width, height, k, p, !maker_breaker),
          without_rows(width, height, k, p, false),
          search(rules, meter, table_bits) {
        if (Breaker::knows(without_rows) && state.left == 1) breaker = std::make_unique<Breaker>(without_rows, meter, table_bits);
    }

    void go_on(std::uint64_t budget) {
        if (breaker) {
            const Verdict found = breaker->ask(state, budget);
            if (found == Verdict::held) verdict = found, is_held_without_rows = true;
            if (found == Verdict::won) breaker.reset();  // then the defender needs threats of his own, if he holds
        }
        if (verdict == Verdict::open) verdict = search.ask(state, budget);
    }

    // Once the verdict is known; of whom it favours.
    Strategy strategy_for(Meter& meter, std::size_t most_branches) {
        if (is_held_without_rows)
            return Holder(without_rows, [this](const State& s) { return breaker->best(s); }, meter, most_branches).build(state);
        const auto best = [this](const State& s) { return search.best(s, verdict); };
        return verdict == Verdict::held ? Holder(rules, best, meter, most_branches).build(state)
                                        : Winner(rules, best, meter, most_branches).build(state);
    }

    State state;
    Rules rules, without_rows;  // the second without rows of the defender
    Search search;
    std::unique_ptr<Breaker> breaker;
    Verdict verdict = Verdict::open;
    bool is_held_without_rows = false;
    std::optional<Strategy> strategy;
};

struct Settled {
    // Does the side to move win, does the other one? Null where nobody need ask: a breaker never wins.
    std::unique_ptr<Question> questions[2];
    int winner = -1;  // the number of the question that was answered with yes
    bool is_draw = false;
    std::string missing;  // why there are no strategies, if there are none
    std::uint64_t nodes = 0;
};

// Both questions are searched by turns, with more and more nodes each: either may be much the easier one.
void search(Settled& settled) {
    for (std::uint64_t budget = 2000;; budget *= 2) {
        bool open = false;
        for (int i = 0; i < 2; ++i) {
            Question* const question = settled.questions[i].get();
            if (!question || question->verdict == Verdict::held) continue;
            question->go_on(budget);
            if (question->verdict == Verdict::won) {
                settled.winner = i;
                return;
            }
            open |= question->verdict == Verdict::open;
        }
        if (!open) {
            settled.is_draw = true;
            return;
        }
    }
}

void settle(Settled& settled, Meter& meter, std::size_t most_branches) {
    try {
        search(settled);
        for (int i = 0; i < 2; ++i) {
            Question* const question = settled.questions[i].get();
            if (!question || !(settled.winner == i || settled.is_draw)) continue;
            question->strategy = question->strategy_for(meter, most_branches);
        }
    } catch (const Stopped&) {
        settled.missing = "stopped";
    } catch (const TooLarge&) {
        settled.missing = "too large";
    }
    settled.nodes = meter.nodes();
}

// A strategy as Python objects, with one object for each node however often it is reached.
class Translator {
public:
    explicit Translator(const Strategy& strategy) : strategy_(strategy), objects_(strategy.nodes.size()) {}

    nb::object win() {
        return build([this](const Strategy::Node& node) -> nb::object {
            nb::list replies;
            for (const auto& branch : node.branches)
                replies.append(nb::make_tuple(squares(branch.stones), branch.passes, object(branch.child)));
            return nb::make_tuple(squares(node.move), replies);
        });
    }

    nb::object hold() {
        return build([this](const Strategy::Node& node) -> nb::object {
            if (!node.pairs.empty()) {
                nb::list pairs;
                for (const auto& [a, b] : node.pairs) pairs.append(nb::make_tuple(a, b));
                return nb::make_tuple("pairs", pairs);
            }
            nb::list replies;
            for (const auto& branch : node.branches)
                replies.append(nb::make_tuple(squares(branch.stones), squares(branch.reply), object(branch.child)));
            return replies;
        });
    }

private:
    template <class Make>
    nb::object build(const Make& make) {
        if (strategy_.root < 0) return nb::none();
        std::vector<bool> needed(strategy_.nodes.size());
        needed[std::size_t(strategy_.root)] = true;
        for (std::size_t i = strategy_.nodes.size(); i-- > 0;)
            if (needed[i])
                for (const auto& branch : strategy_.nodes[i].branches)
                    if (branch.child >= 0) needed[std::size_t(branch.child)] = true;
        for (std::size_t i = 0; i < strategy_.nodes.size(); ++i)
            if (needed[i]) objects_[i] = make(strategy_.nodes[i]);
        return objects_[std::size_t(strategy_.root)];
    }

    nb::object object(int node) const { return node < 0 ? nb::object(nb::none()) : objects_[std::size_t(node)]; }

    nb::object squares(Bits bits) {
        nb::object& known = squares_[bits];
        if (!known.is_valid()) {
            nb::list list;
            each(bits, [&list](int square) { list.append(square); });
            known = nb::tuple(list);
        }
        return known;
    }

    const Strategy& strategy_;
    std::vector<nb::object> objects_;
    std::unordered_map<Bits, nb::object> squares_;
};

// Against a breaker any move will do.
nb::object hold_breaker(int question, const Bits* sides, int squares, int stones) {
    if (question == 0) return nb::none();
    nb::list reply, tree;
    for (int square = 0; square < squares && stones > 0; ++square)
        if (!((sides[0] | sides[1]) & bit(square))) {
            reply.append(square);
            --stones;
        }
    tree.append(nb::make_tuple(nb::make_tuple(), nb::tuple(reply), nb::none()));
    return tree;
}

Bits bits_of(const std::vector<int>& squares, int count) {
    Bits bits = 0;
    for (int square : squares) {
        if (square < 0 || square >= count) throw nb::value_error("a stone is off the board");
        bits |= bit(square);
    }
    return bits;
}

}  // namespace

void bind_small_game(nb::module_& m) {
    m.attr("MAX_SMALL_SQUARES") = 64;
    m.def(
        "settle",
        [](Control& control, int width, int height, int k, int p, bool maker_breaker, std::vector<int> black,
           std::vector<int> white, int turn, int stones, std::uint64_t nodes, double seconds, int table_bits,
           std::size_t most_branches, nb::object progress) {
            if (width < 1 || height < 1 || width > 64 || height > 64 || width * height > 64)
                throw nb::value_error("a small board has at most 64 squares");
            if (turn != 0 && turn != 1) throw nb::value_error("the turn is 0 or 1");
            if (p < 1 || p > 64 || stones < 1 || stones > 64) throw nb::value_error("a move has 1 to 64 stones");
            const Bits sides[] = {bits_of(black, width * height), bits_of(white, width * height)};
            Meter meter(control, nodes, seconds);
            Settled settled;
            for (int i = 0; i < 2; ++i) {
                const int attacker = i == 0 ? turn : 1 - turn;
                if (maker_breaker && attacker == 1) continue;
                const State state{{sides[attacker], sides[1 - attacker]}, i == 0 ? attacking : defending, stones};
                settled.questions[i] =
                    std::make_unique<Question>(width, height, k, p, maker_breaker, meter, table_bits, state);
            }
            Visits visits(control, std::function<void()>([&] {  // an answer that is true means stop
                if (!progress.is_none() && nb::bool_(progress(control.nodes.load()))) control.stop.store(true);
            }));
            {
                nb::gil_scoped_release release;
                settle(settled, meter, most_branches);
            }
            visits.rethrow();
            nb::object win = nb::none();
            nb::list holds;
            for (int i = 0; i < 2; ++i) {
                const Question* const question = settled.questions[i].get();
                if (question && !question->strategy) continue;
                const int attacker = i == 0 ? turn : 1 - turn;
                if (settled.winner == i) {
                    win = Translator(*question->strategy).win();
                } else if (settled.is_draw) {
                    nb::object hold = question ? Translator(*question->strategy).hold()
                                               : hold_breaker(i, sides, width * height, stones);
                    if (!maker_breaker && question->is_held_without_rows) hold = nb::make_tuple("without rows", hold);
                    holds.append(nb::make_tuple(attacker, hold));
                }
            }
            const char* const won[] = {"unknown", "win", "loss"};
            const char* const value = settled.is_draw ? "draw" : won[settled.winner + 1];
            return nb::make_tuple(value, settled.nodes, settled.missing, win, holds);
        },
        "control"_a, "width"_a, "height"_a, "k"_a, "p"_a, "maker_breaker"_a, "black"_a, "white"_a, "turn"_a, "stones"_a,
        "nodes"_a, "seconds"_a, "table_bits"_a, "most_branches"_a, "progress"_a.none() = nb::none());
}

}  // namespace tengen
