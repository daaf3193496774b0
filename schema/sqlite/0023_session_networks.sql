-- The network that a log-in came from: an IPv4 address, or an IPv6 /64. Empty where it is not known: in sessions from before, and in
-- those that nobody logged in for. It goes with the session.
ALTER TABLE sessions ADD COLUMN network TEXT NOT NULL DEFAULT '';
