package io.asynq.internal.worker;

import java.util.function.BooleanSupplier;

import io.asynq.server.ServerState;

/**
 * Whether the server takes tasks: neither while it is quiet, nor before there is a
 * handler, because every task would fail.
 */
public final class QuietSwitch {

	private final Intake intake;

	private final ServerStatus status;

	private final BooleanSupplier hasHandler;

	private final Listener listener;

	private boolean waitsForHandler;

	public QuietSwitch(Intake intake, ServerStatus status, BooleanSupplier hasHandler, Listener listener) {
		this.intake = intake;
		this.status = status;
		this.hasHandler = hasHandler;
		this.listener = listener;
	}

	void start() {
		this.listener.onStart(admit());
	}

	/** Also opens if the first handler has been registered meanwhile. */
	synchronized boolean takesTasks() {
		if (this.waitsForHandler && this.hasHandler.getAsBoolean()) {
			this.waitsForHandler = false;
			this.status.set(ServerState.ACTIVE);
			this.intake.open();
		}
		return this.intake.isOpen();
	}

	/** Holds even if a handler is registered later. */
	synchronized boolean quiet() {
		boolean took = this.status.quiet() || this.waitsForHandler;
		if (took) {
			close();
		}
		return took;
	}

	synchronized boolean resume() {
		boolean quiet = isQuiet();
		if (quiet) {
			admit();
		}
		return quiet;
	}

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
		boolean takes = takesTasks();
		if (!takes) {
			this.status.set(ServerState.STOPPED);
		}
		return takes;
	}

	private void close() {
		this.waitsForHandler = false;
		this.intake.close();
	}

	public interface Listener {

		/**
		 * @param takesTasks {@code false} as long as there is no handler
		 */
		void onStart(boolean takesTasks);

		void onStop();

	}

}
