package io.asynq.internal.server;

import java.util.ArrayList;
import java.util.List;

import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Quiets servers on SIGTSTP, as Go does (docs/compatibility.md, G07); a JVM has one
 * handler per signal, so all servers share ours, and the last one restores the previous
 * handler.
 */
public final class TstpSignal {

	private static final Logger logger = OneLineLogger.of(TstpSignal.class);

	private static final String NAME = "TSTP";

	private static final List<TstpSignal> waiting = new ArrayList<>();

	private static @Nullable SignalHandler before;

	private final Runnable quiet;

	public TstpSignal(Runnable quiet) {
		this.quiet = quiet;
	}

	public void await() {
		synchronized (waiting) {
			if (waiting.isEmpty()) {
				before = replace((signal) -> arrived());
			}
			if (!waiting.contains(this)) {
				waiting.add(this);
			}
		}
	}

	public void release() {
		synchronized (waiting) {
			if (waiting.remove(this) && waiting.isEmpty() && before != null) {
				replace(before);
				before = null;
			}
		}
	}

	private static void arrived() {
		List<TstpSignal> all;
		synchronized (waiting) {
			all = List.copyOf(waiting);
		}
		all.forEach((signal) -> signal.quiet.run());
	}

	private static @Nullable SignalHandler replace(SignalHandler handler) {
		try {
			return Signal.handle(new Signal(NAME), handler);
		}
		catch (IllegalArgumentException | LinkageError ex) {
			logger.debug("SIGTSTP is not handled: {}", ex.getMessage());
			return null;
		}
	}

}
