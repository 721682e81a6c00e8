package io.asynq.server;

import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;
import sun.misc.Signal;

/**
 * Quiets the server on SIGTSTP, as Go does (asynq G07), where the JVM and the platform
 * allow it.
 */
final class TstpSignal {

	private static final Logger logger = OneLineLogger.of(TstpSignal.class);

	private TstpSignal() {
	}

	static void handle(Runnable quiet) {
		try {
			Signal.handle(new Signal("TSTP"), (signal) -> quiet.run());
		}
		catch (IllegalArgumentException | LinkageError ex) {
			logger.debug("SIGTSTP is not handled: {}", ex.getMessage());
		}
	}

}
