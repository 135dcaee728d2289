//! Listeners, the tower stack, the routers, and the one function that turns errors into answers.
