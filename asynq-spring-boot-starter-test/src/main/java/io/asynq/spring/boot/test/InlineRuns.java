package io.asynq.spring.boot.test;

import io.asynq.internal.lifecycle.ServerPhase;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Runs tasks as soon as they are stored, from the moment when a server would start:
 * before that not all handlers are known.
 */
final class InlineRuns implements SmartLifecycle {

	private final boolean inline;

	private final ObjectProvider<TestServer> server;

	private volatile boolean running;

	InlineRuns(AutoConfigureAsynq.Mode mode, ObjectProvider<TestServer> server) {
		this.inline = mode == AutoConfigureAsynq.Mode.INLINE;
		this.server = server;
	}

	void stored() {
		if (this.inline && this.running) {
			this.server.ifAvailable(TestServer::runPending);
		}
	}

	@Override
	public void start() {
		this.running = true;
		stored();
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return ServerPhase.PROCESSOR.value();
	}

}
