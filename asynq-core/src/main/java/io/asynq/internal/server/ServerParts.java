package io.asynq.internal.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.AsynqServer;
import org.slf4j.Logger;
import org.springframework.context.SmartLifecycle;

/**
 * The components of a server in the order in which they start; the first task may stop
 * the server before the last one is started, and none of them then runs on.
 */
record ServerParts(List<SmartLifecycle> all, Loops loops, ReentrantLock starting) {

	private static final Logger logger = OneLineLogger.of(AsynqServer.class);

	ServerParts(List<SmartLifecycle> all, Loops loops) {
		this(all, loops, new ReentrantLock());
	}

	void start() {
		this.starting.lock();
		try {
			this.all.forEach(SmartLifecycle::start);
		}
		finally {
			this.starting.unlock();
		}
	}

	void stop() {
		// Waits for a start in progress
		this.starting.lock();
		this.starting.unlock();
		// Spring may be starting them, too
		this.loops.end();
		List<SmartLifecycle> reversed = new ArrayList<>(this.all);
		Collections.reverse(reversed);
		// A component that fails must not keep the others running
		reversed.forEach((part) -> UserCode.run(part::stop,
				(shown) -> logger.error("{} did not stop cleanly", part.getClass().getSimpleName(), shown)));
	}

}
