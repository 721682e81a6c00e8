package io.asynq.console.autoconfigure;

import io.asynq.console.http.ConsoleHandler;

import org.springframework.context.SmartLifecycle;

/**
 * Ends streams before the web server waits for its requests to end.
 */
final class ConsoleLifecycle implements SmartLifecycle {

	private final ConsoleHandler console;

	private volatile boolean running;

	ConsoleLifecycle(ConsoleHandler console) {
		this.console = console;
	}

	@Override
	public void start() {
		this.console.start();
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.console.stop();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
