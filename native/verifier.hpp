// The defender is to move and faces an attack: which of his moves are not proved to lose?
//
// First the critical defences alone, with his other stones left out; the zone of the answer tells which further stones can
// matter, and each is asked about in turn (the sub-verifier of the RZOP paper's appendix, for any p). Where the attacker has no
// answer to a reply with stones left out, every square must be asked about. Replies are searched side by side by all threads.
//
// Full replies are searched in rounds: each has few nodes at first, and those still undecided get more in the next round. So a
// search that is cut short has dealt with all the easy ones.
#pragma once

#include <queue>

#include "proof_search.hpp"
#include "team.hpp"

namespace tengen {

template <class PositionType>
class Verifier {
public:
    using ZoneType = typename PositionType::ZoneType;
    using SquareSet = typename PositionType::SquareSet;
    enum class Status { losing, open, unknown, later };  // unknown: a limit came first; later: it comes again, with more nodes

    struct Reply {
        Stones stones;
        int passes = 0;
        Status status = Status::unknown;
        Strategy answer;
        int length = 0;  // attacking moves of the answer
        std::uint64_t nodes = 0;
        int promise = 0;
    };

    struct Request {
        int order = 2;   // of the wins that answer a full reply
        int stones = 2;  // that the defender has
        std::uint64_t reply_nodes = 20000;  // for each reply; 0: no limit
        std::vector<Stones> prohibited;     // full replies that are not asked about
        ProofSettings settings;
        Limits limits;
        int threads = 1;
    };

    // `tell` hears of every reply when its search ends; it is called by one thread at a time.
    using Tell = std::function<void(const Reply&, std::size_t done, std::size_t waiting)>;

    template <class MakePosition>
    Verifier(MakePosition make, Table& table, Control& control, Request request, Tell tell)
        : make_(make), table_(table), control_(control), request_(std::move(request)), tell_(std::move(tell)), root_(make()),
          start_(std::chrono::steady_clock::now()) {
        for (Stones& stones : request_.prohibited) stones.sort();
    }

    // Every reply that was asked about. Nothing at all if the defender can complete a row; then he has won.
    std::vector<Reply> run() {
        // The attacker threatens more than can be met, and the defender has no row to complete: nothing needs an answer.
        std::vector<Stones> defences;
        const auto is_over = [this] {
            hear_the_caller();
            return is_out_of_limits();
        };
        if (critical_defences(root_, request_.stones, defences, is_over)) {
            for (const Stones& defence : defences) ask(defence, request_.stones - defence.count);
        } else {
            cut_short_ = true;
        }
        std::exception_ptr failure;
        const auto work = [&] {
            try {
                answer_all();
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (!failure) failure = std::current_exception();
                control_.stop.store(true);
                wake_.notify_all();
            }
        };
        work_together(request_.threads, work, [&](int) { work(); });
        if (failure) std::rethrow_exception(failure);
        give_up_the_rest();
        return std::move(replies_);
    }

    bool complete() const { return !cut_short_; }
    bool defender_wins_at_once() const { return root_.fillable(defender, request_.stones) >= 0; }
    std::uint64_t nodes() const { return nodes_; }

private:
    struct Question {
        Stones stones;
        int passes;
        int promise;
        int round = 0;
        std::uint64_t spent = 0;                       // in earlier rounds
        bool operator<(const Question& other) const {  // those with stones left out come first, since they save others
            return std::tuple(passes, -round, promise) < std::tuple(other.passes, -other.round, other.promise);
        }
    };

    // What a reply may cost this time; 0: whatever it takes. One with stones left out may cost what the first round of all those
    // costs that it can save.
    std::uint64_t budget(const Question& question) const {
        const std::uint64_t most = request_.reply_nodes;
        if (question.round >= max_rounds) return most;
        const std::uint64_t nodes =
            question.passes > 0 ? first_budget * std::uint64_t(root_.empty().count()) : first_budget << (growth_bits * question.round);
        return most == 0 ? nodes : std::min(most, nodes);
    }

    static constexpr std::uint64_t first_budget = 20000;
    static constexpr int growth_bits = 3, max_rounds = 15;

    void ask(const Stones& stones, int passes) {
        std::uint64_t key = std::uint64_t(passes);
        int promise = 0;
        for (Square s : stones) {
            key ^= stone_key(s, 0, defender);
            promise += root_.defence_value(s);
        }
        if (!asked_.insert(key).second) return;
        if (passes == 0 && std::find(request_.prohibited.begin(), request_.prohibited.end(), stones) != request_.prohibited.end()) return;
        waiting_.push({stones, passes, promise});
    }

    void answer_all() {
        std::unique_lock lock(mutex_);
        while (true) {
            hear_the_caller();
            if (is_out_of_limits()) {
                cut_short_ |= !waiting_.empty();
                break;
            }
            if (waiting_.empty()) {
                if (busy_ == 0) break;
                wake_.wait_for(lock, std::chrono::milliseconds(50));  // this may be the thread that hears Ctrl-C
                continue;
            }
            const Question question = waiting_.top();
            waiting_.pop();
            ++busy_;
            lock.unlock();
            Reply reply;
            ZoneType zone;
            try {
                answer(question, reply, zone);
            } catch (...) {
                lock.lock();
                --busy_;
                throw;
            }
            lock.lock();
            --busy_;
            nodes_ += reply.nodes - question.spent;
            control_.nodes.store(nodes_);
            cut_short_ |= control_.stop.load();
            const bool losing = reply.status == Status::losing;
            if (question.passes > 0 && !control_.stop.load()) ask_further(question, losing ? &zone : nullptr);
            if (reply.status == Status::unknown && question.passes == 0 && budget(question) != request_.reply_nodes)
                reply.status = Status::later;
            const bool is_done = reply.status != Status::later;
            if (tell_) tell_(reply, replies_.size() + is_done, waiting_.size() + !is_done);
            if (!is_done)
                waiting_.push({question.stones, 0, question.promise, question.round + 1, reply.nodes});
            else if (losing || question.passes == 0)  // a reply in part that is not answered says nothing about moves
                replies_.push_back(std::move(reply));
            wake_.notify_all();
        }
        wake_.notify_all();
    }

    void hear_the_caller() {
        if (!control_.poll || std::chrono::steady_clock::now() - polled_ <= std::chrono::milliseconds(50)) return;
        polled_ = std::chrono::steady_clock::now();
        if (control_.poll()) control_.stop.store(true);
    }

    // Replies whose further rounds never came are known to be open so far.
    void give_up_the_rest() {
        for (; !waiting_.empty(); waiting_.pop()) {
            const Question& question = waiting_.top();
            cut_short_ = true;
            if (question.round == 0) continue;
            Reply reply;
            reply.stones = question.stones;
            reply.nodes = question.spent;
            reply.promise = question.promise;
            if (tell_) tell_(reply, replies_.size() + 1, waiting_.size() - 1);
            replies_.push_back(std::move(reply));
        }
    }

    void ask_further(const Question& question, const ZoneType* zone) {
        const bool all = zone == nullptr || question.passes > ZoneType::orders;
        const SquareSet squares = all ? root_.empty() : zone->z[std::size_t(question.passes) - 1];
        squares.each([&](Square s) {
            if (!root_.is_empty(s) || question.stones.has(s)) return;
            Stones more = question.stones;
            more.add(s);
            more.sort();
            ask(more, question.passes - 1);
        });
    }

    // A null move has to lose to a simpler attack, as in lambda search.
    int order_against(int passes) const {
        return std::max(1, std::min(request_.order, std::max(request_.order, root_.p() + 1) - passes));
    }

    void answer(const Question& question, Reply& reply, ZoneType& zone) {
        reply.stones = question.stones;
        reply.passes = question.passes;
        reply.promise = question.promise;
        const auto make = [&] {
            PositionType position = make_();
            for (Square s : question.stones) position.place(s, defender);
            return position;
        };
        Limits limits;
        limits.nodes = budget(question);
        limits.seconds = seconds_left();
        Control own;  // counts the nodes of this reply alone
        own.poll = [this] {  // the time is also that of walking a win once more, which knows no other limit
            if (control_.poll && control_.poll()) control_.stop.store(true);
            return control_.stop.load() || is_out_of_time();
        };
        ProofSettings settings = request_.settings;
        settings.merge &= question.passes == 0;  // zones of the others tell what else to ask: smaller ones are worth the work
        ProofSearch<PositionType> search(make, table_, own, settings, limits, 1);
        using Outcome = typename ProofSearch<PositionType>::Outcome;
        const Outcome outcome = search.attack(order_against(question.passes), root_.p());
        reply.status = outcome == Outcome::none ? Status::open : Status::unknown;
        if (outcome == Outcome::win && search.explain(reply.answer, zone)) {
            reply.status = Status::losing;
            reply.length = reply.answer.length();
        }
        reply.nodes = question.spent + search.nodes();
    }

    double seconds_left() const {
        if (request_.limits.seconds <= 0) return 0;
        const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        return std::max(1e-6, request_.limits.seconds - spent);
    }

    bool is_out_of_limits() const {
        return control_.stop.load() || (request_.limits.nodes > 0 && nodes_ >= request_.limits.nodes) ||
               is_out_of_time();
    }

    bool is_out_of_time() const { return request_.limits.seconds > 0 && seconds_left() <= 1e-6; }

    std::function<PositionType()> make_;
    Table& table_;
    Control& control_;
    Request request_;
    Tell tell_;
    PositionType root_;
    std::chrono::steady_clock::time_point start_, polled_ = start_;
    std::priority_queue<Question> waiting_;
    std::unordered_set<std::uint64_t> asked_;
    std::vector<Reply> replies_;
    std::mutex mutex_;
    std::condition_variable wake_;
    int busy_ = 0;
    bool cut_short_ = false;
    std::uint64_t nodes_ = 0;
};

}  // namespace tengen
