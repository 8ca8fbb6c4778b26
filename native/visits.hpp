// How Python is heard while a search runs.
#pragma once

#include <exception>
#include <functional>

#include "bindings.hpp"
#include "control.hpp"

namespace tengen {

// Lets Ctrl-C and calls to Python through while a search runs without the interpreter's lock. What they raise stops the search
// and is raised after it.
class Visits {
public:
    Visits(Control& control, nanobind::object progress)
        : Visits(control, std::function<void()>([&control, progress = std::move(progress)] {
                     if (!progress.is_none()) progress(control.nodes.load(), control.depth.load());
                 })) {}

    // Calls `tell` now and then with the interpreter's lock, on the thread of the search.
    Visits(Control& control, std::function<void()> tell) : control_(control), tell_(std::move(tell)) {
        control_.poll = [this] {
            return call([this] {
                if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
                tell_();
            });
        };
    }
    ~Visits() { control_.poll = nullptr; }

    // True if it raised something.
    template <class Action>
    bool call(Action action) {
        const nanobind::gil_scoped_acquire acquire;
        if (raised_) return true;
        try {
            action();
        } catch (nanobind::python_error&) {
            raised_ = std::current_exception();
        }
        return raised_ != nullptr;
    }

    void rethrow() const {
        if (raised_) std::rethrow_exception(raised_);
    }

private:
    Control& control_;
    std::function<void()> tell_;
    std::exception_ptr raised_;
};

}  // namespace tengen
