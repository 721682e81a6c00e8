package io.asynq.server;

import java.util.function.BooleanSupplier;

/**
 * Whether a server takes tasks: not before it has a handler, because they would all fail,
 * and not once it is quiet or stops. Safe for concurrent use.
 */
final class Admission {

	private final Intake intake;

	private final ServerStatus status;

	private final BooleanSupplier hasHandler;

	private boolean waitsForHandler;

	/**
	 * Creates it closed.
	 * @param intake takes the tasks
	 * @param status what the server says of itself
	 * @param hasHandler whether anything works on tasks
	 */
	Admission(Intake intake, ServerStatus status, BooleanSupplier hasHandler) {
		this.intake = intake;
		this.status = status;
		this.hasHandler = hasHandler;
	}

	/**
	 * Takes tasks from now on, or from when there is a handler.
	 */
	synchronized void start() {
		this.waitsForHandler = true;
		if (!isOpen()) {
			this.status.set(ServerState.STOPPED);
		}
	}

	/**
	 * Returns whether tasks are taken; so they are as soon as there is a handler.
	 * @return whether they are taken
	 */
	synchronized boolean isOpen() {
		if (this.waitsForHandler && this.hasHandler.getAsBoolean()) {
			this.waitsForHandler = false;
			this.status.set(ServerState.ACTIVE);
			this.intake.open();
		}
		return this.intake.isOpen();
	}

	/**
	 * Takes no more tasks, also if a handler should come yet.
	 * @return whether it took some, or waited for a handler
	 */
	synchronized boolean quiet() {
		boolean took = this.status.quiet() || this.waitsForHandler;
		if (took) {
			close();
		}
		return took;
	}

	synchronized void stop() {
		close();
		this.status.set(ServerState.CLOSED);
	}

	private void close() {
		this.waitsForHandler = false;
		this.intake.close();
	}

}
