// The engine's door to Python.
#include "bind_search.hpp"
#include "counting_evaluation.hpp"
#include "engine.hpp"
#include "huang_evaluation.hpp"
#include "network_evaluation.hpp"
#include "team.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace tengen {
namespace {

// A move that was found good, as Python gets it.
struct Found {
    std::vector<Square> move;
    int score, depth;
    bool by_threats, is_refuted;
    std::vector<std::vector<Square>> line;
};

struct Answer {
    std::vector<Found> found;
    std::uint64_t nodes;
};

struct Question {
    Setup setup;  // with Black as the attacker
    int turn, stones, lines;
    std::vector<Stones> prohibited;
    EngineSettings settings;
    EngineLimits limits;
    int threads;
};

void place_stones(Evaluation& evaluation, const Setup& setup) {
    for (Square s : setup.attackers) evaluation.place(s, black);
    for (Square s : setup.defenders) evaluation.place(s, white);
}

std::unique_ptr<Evaluation> evaluation_of(const Geometry& geometry, const Setup& setup, const EvaluationWeights& weights) {
    std::unique_ptr<Evaluation> evaluation = weights.make(geometry, setup.p);
    place_stones(*evaluation, setup);
    return evaluation;
}

template <class EngineType>
std::vector<Found> as_found(const std::vector<typename EngineType::Line>& lines, int wanted) {
    std::vector<Found> found;
    for (const auto& line : lines) {
        if (int(found.size()) == wanted || (line.score == -EngineType::infinite && !found.empty())) break;
        found.push_back({as_vector(line.move), line.score, line.depth, line.by_threats, line.is_refuted, {}});
        for (const Stones& move : line.moves) found.back().line.push_back(as_vector(move));
    }
    return found;
}

template <class PositionType>
EngineBoard<PositionType> board_of(const Geometry& geometry, const Setup& setup, const EvaluationWeights& weights) {
    Setup exchanged = setup;
    std::swap(exchanged.attackers, exchanged.defenders);
    return EngineBoard<PositionType>({setup.position<PositionType>(geometry), exchanged.position<PositionType>(geometry)},
                                     evaluation_of(geometry, setup, weights), setup.maker_breaker);
}

template <class PositionType, class Tell>
Answer think(const Geometry& geometry, const Question& question, EngineMemory& memory, Control& control, const EvaluationWeights& weights, Tell tell) {
    using EngineType = Engine<PositionType>;
    typename EngineType::Shared shared(control, memory);
    // Each thread makes its own board: evaluations may hold tables of their thread.
    const auto work = [&](int number, auto tell_step) {
        EngineType engine(shared, board_of<PositionType>(geometry, question.setup, weights), question.settings, question.limits, number);
        return engine.think(question.turn, question.stones, question.lines, question.prohibited, tell_step);
    };
    std::vector<std::exception_ptr> failures(std::size_t(question.threads));
    const auto guarded = [&](int number, auto body) {
        try {
            body();
        } catch (...) {
            failures[std::size_t(number)] = std::current_exception();
        }
    };
    Answer answer;
    const auto lead = [&] {
        guarded(0, [&] {
            const auto lines = work(0, [&](const auto& found) { tell(as_found<EngineType>(found, question.lines), shared.nodes.load()); });
            answer = {as_found<EngineType>(lines, question.lines), shared.nodes.load()};
        });
        shared.is_over.store(true);
    };
    work_together(question.threads, lead, [&](int number) { guarded(number, [&] { work(number, [](const auto&) {}); }); });
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
    return answer;
}

void check_turn(int turn, int stones) {
    if (turn != black && turn != white) throw nb::value_error("a colour is 0 (black) or 1 (white)");
    if (stones < 1 || stones > Stones::most) throw nb::value_error("a move has 1 to 8 stones");
}

std::vector<int> square_scores(const Evaluation& evaluation, int count, int side, int stones_left) {
    std::vector<ScoredSquare> squares;
    for (Square s = 0; s < count; ++s) squares.push_back({s});
    evaluation.score_squares(side, stones_left, squares);
    std::vector<int> scores;
    for (const ScoredSquare& scored : squares) scores.push_back(scored.score);
    return scores;
}

nb::list as_list(const std::vector<Found>& found) {
    nb::list list;
    for (const Found& f : found) list.append(nb::make_tuple(f.move, f.score, f.depth, f.by_threats, f.is_refuted, f.line));
    return list;
}

}  // namespace

void bind_engine(nb::module_& m) {
    m.attr("ENGINE_WIN") = Engine<Position<0, 0, 6>>::win;

    using Weights = const std::vector<int>&;
    nb::class_<EvaluationWeights>(m, "EvaluationWeights");
    nb::class_<HuangTables, EvaluationWeights>(m, "HuangTables").def(nb::init<>());
    nb::class_<CountingWeights, EvaluationWeights>(m, "CountingWeights")
        .def(
            "__init__",
            [](CountingWeights* self, int k, Weights own, Weights other, int tempo, Weights order_own, Weights order_other) {
                new (self) CountingWeights(k, {k, own, other}, {k, order_own, order_other}, tempo);
            },
            "k"_a, "own"_a, "other"_a, "tempo"_a, "order_own"_a, "order_other"_a);

    nb::class_<Network, EvaluationWeights>(m, "Network")
        .def(
            "__init__",
            [](Network* self, int k, int p, nb::bytes data) {
                new (self) Network(k, p, {static_cast<const std::uint8_t*>(data.data()), data.size()});
            },
            "k"_a, "p"_a, "data"_a)
        .def_prop_ro("k", &Network::k)
        .def_prop_ro("p", &Network::p)
        .def(
            "evaluate",
            [](const Network& network, const Setup& setup, int turn, int stones_left, const std::vector<Square>& detour, bool portable) {
                check_turn(turn, stones_left);
                setup.check(detour);
                if (setup.p != network.p()) throw nb::value_error("the network is for moves of another number of stones");
                const auto geometry = Geometry::of(setup.width, setup.height, setup.k);
                NetworkEvaluation evaluation(*geometry, network, portable ? portable_network_kernels() : network_kernels());
                place_stones(evaluation, setup);
                for (Square s : detour) evaluation.place(s, white);
                for (Square s : detour) evaluation.remove(s, white);
                const auto logits = evaluation.value_logits(turn, stones_left);
                return nb::make_tuple(std::vector<int>(logits.begin(), logits.end()), square_scores(evaluation, geometry->squares, turn, stones_left));
            },
            "setup"_a, "turn"_a, "stones_left"_a, "detour"_a = std::vector<Square>(), "portable"_a = false)
        .def(
            "measure",  // places and removes a stone and evaluates, so often
            [](const Network& network, const Setup& setup, int turn, int rounds) {
                const auto geometry = Geometry::of(setup.width, setup.height, setup.k);
                const auto evaluation = evaluation_of(*geometry, setup, network);
                std::vector<Square> empty;
                for (Square s = 0; s < geometry->squares; ++s)
                    if (std::find(setup.attackers.begin(), setup.attackers.end(), s) == setup.attackers.end() &&
                        std::find(setup.defenders.begin(), setup.defenders.end(), s) == setup.defenders.end())
                        empty.push_back(s);
                std::int64_t sum = 0;
                for (int round = 0; round < rounds; ++round) {
                    const Square s = empty[std::size_t(round) * 7 % empty.size()];
                    evaluation->place(s, round & 1);
                    sum += evaluation->value(turn);
                    evaluation->remove(s, round & 1);
                }
                return sum;
            },
            "setup"_a, "turn"_a, "rounds"_a);

    m.def(
        "evaluate",
        [](const Setup& setup, const EvaluationWeights& weights, int turn, const std::vector<Square>& detour) {
            setup.check(detour);
            const auto kept = Geometry::of(setup.width, setup.height, setup.k);
            const Geometry& geometry = *kept;
            const auto evaluation = evaluation_of(geometry, setup, weights);
            for (Square s : detour) evaluation->place(s, white);
            for (Square s : detour) evaluation->remove(s, white);
            return nb::make_tuple(evaluation->value(turn), square_scores(*evaluation, geometry.squares, turn, setup.p));
        },
        "setup"_a, "weights"_a, "turn"_a, "detour"_a = std::vector<Square>());

    nb::class_<EngineSettings>(m, "EngineSettings")
        .def(nb::init<>())
        .def_rw("width", &EngineSettings::width)
        .def_rw("root_attacks", &EngineSettings::root_attacks)
        .def_rw("attacks", &EngineSettings::attacks)
        .def_rw("free_threats", &EngineSettings::free_threats)
        .def_rw("root_threats", &EngineSettings::root_threats)
        .def_rw("threats", &EngineSettings::threats)
        .def_rw("null_threats", &EngineSettings::null_threats)
        .def_rw("single_threats", &EngineSettings::single_threats);

    m.def(
        "candidates",
        [](const Setup& setup, const EvaluationWeights& weights, int turn, int stones) {
            check_turn(turn, stones);
            return setup.dispatch([&]<class PositionType>(const Geometry& geometry) {
                Control control;
                EngineMemory memory(10, 1);
                typename Engine<PositionType>::Shared shared(control, memory);
                Engine<PositionType> engine(shared, board_of<PositionType>(geometry, setup, weights), {}, {});
                std::vector<std::vector<Square>> moves;
                for (const Option& option : engine.candidates(turn, stones)) moves.push_back(as_vector(option.move));
                return moves;
            });
        },
        "setup"_a, "weights"_a, "turn"_a, "stones"_a);

    nb::class_<EngineMemory>(m, "EngineMemory").def(nb::init<int, int>(), "table_bits"_a, "threads"_a);

    // The attacker of the setup is Black. A memory serves one search at a time, always of the same board and rules.
    m.def(
        "think",
        [](Control& control, const Setup& setup, int turn, int stones, const EvaluationWeights& weights, const EngineSettings& settings, int lines,
           const std::vector<std::vector<Square>>& prohibited, int depth, std::uint64_t nodes, double soft_seconds, double hard_seconds,
           int threads, EngineMemory& memory, nb::object tell) {
            check_turn(turn, stones);
            Question question{setup, turn, stones, std::max(1, lines), {}, settings, {depth, nodes, soft_seconds, hard_seconds},
                              std::max(1, threads)};
            for (const auto& squares : prohibited) {
                setup.check(squares);
                question.prohibited.push_back(as_stones(squares));
                question.prohibited.back().sort();
            }
            Visits visits(control, nb::none());
            Answer answer;
            {
                const nb::gil_scoped_release release;
                answer = question.setup.dispatch([&]<class PositionType>(const Geometry& geometry) {
                    const auto hear = [&](const std::vector<Found>& step, std::uint64_t so_far) {
                        if (tell.is_none()) return;
                        if (visits.call([&] { tell(as_list(step), so_far); })) control.stop.store(true);
                    };
                    return think<PositionType>(geometry, question, memory, control, weights, hear);
                });
            }
            visits.rethrow();
            return nb::make_tuple(as_list(answer.found), answer.nodes);
        },
        "control"_a, "setup"_a, "turn"_a, "stones"_a, "weights"_a, "settings"_a, "lines"_a, "prohibited"_a, "depth"_a, "nodes"_a,
        "soft_seconds"_a, "hard_seconds"_a, "threads"_a, "memory"_a, "tell"_a.none() = nb::none());
}

}  // namespace tengen
