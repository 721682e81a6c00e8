package io.asynq.server.work;

import java.util.function.BooleanSupplier;

import io.asynq.server.ServerState;
import io.asynq.server.state.ServerStatus;

/**
 * Whether a server takes tasks: not before it has a handler, because every task would
 * fail, and not while it is quiet or stopping. Safe for concurrent use.
 */
public final class Admission {

	private final Intake intake;

	private final ServerStatus status;

	private final BooleanSupplier hasHandler;

	private final Listener listener;

	private boolean waitsForHandler;

	/**
	 * Creates a closed admission.
	 * @param hasHandler whether there is a handler
	 */
	public Admission(Intake intake, ServerStatus status, BooleanSupplier hasHandler, Listener listener) {
		this.intake = intake;
		this.status = status;
		this.hasHandler = hasHandler;
		this.listener = listener;
	}

	/**
	 * Takes tasks from now on, or as soon as there is a handler.
	 */
	void start() {
		this.listener.onStart(admit());
	}

	/**
	 * Returns whether tasks are taken; opens if the first handler has been registered
	 * meanwhile.
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
	 * Takes no more tasks, even if a handler is registered later.
	 * @return whether it took tasks or waited for a handler
	 */
	synchronized boolean quiet() {
		boolean took = this.status.quiet() || this.waitsForHandler;
		if (took) {
			close();
		}
		return took;
	}

	/**
	 * Takes tasks again, or as soon as there is a handler.
	 * @return whether it was quiet
	 */
	synchronized boolean resume() {
		boolean quiet = isQuiet();
		if (quiet) {
			admit();
		}
		return quiet;
	}

	/**
	 * Returns whether somebody has asked it to take no more tasks.
	 */
	synchronized boolean isQuiet() {
		return this.status.get() == ServerState.STOPPED && !this.waitsForHandler;
	}

	void stop() {
		synchronized (this) {
			close();
			this.status.set(ServerState.CLOSED);
		}
		this.listener.onStop();
	}

	private synchronized boolean admit() {
		this.waitsForHandler = true;
		boolean open = isOpen();
		if (!open) {
			this.status.set(ServerState.STOPPED);
		}
		return open;
	}

	private void close() {
		this.waitsForHandler = false;
		this.intake.close();
	}

	/**
	 * Learns when the server starts and begins to stop.
	 */
	public interface Listener {

		/**
		 * Called when the server has started.
		 * @param takesTasks {@code false} as long as there is no handler
		 */
		void onStart(boolean takesTasks);

		/**
		 * Called when the server begins to stop.
		 */
		void onStop();

	}

}
