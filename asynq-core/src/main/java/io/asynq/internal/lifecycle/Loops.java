package io.asynq.internal.lifecycle;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What loops that start and stop together have in common.
 */
public final class Loops {

	private static final ServerPhase FIRST = ServerPhase.HEARTBEATER;

	private final BooleanSupplier autoStartup;

	private final LoopErrorLog errors;

	private final StopBudget stops;

	private volatile boolean ended;

	private final Map<ServerPhase, Waker> wakers = new EnumMap<>(ServerPhase.class);

	/**
	 * @param autoStartup evaluated when the application context starts
	 */
	public Loops(BooleanSupplier autoStartup, LoopErrorLog errors, StopBudget stops) {
		this.autoStartup = autoStartup;
		this.errors = errors;
		this.stops = stops;
		for (ServerPhase phase : ServerPhase.values()) {
			this.wakers.put(phase, new Waker());
		}
	}

	public LoopErrorLog errors() {
		return this.errors;
	}

	public StopBudget stops() {
		return this.stops;
	}

	/** Always the same one, which exists before the loop does. */
	public Waker waker(ServerPhase phase) {
		return this.wakers.get(phase);
	}

	/**
	 * Spring starts components one by one: when the first task stops the server
	 * meanwhile, the later ones must not run on alone.
	 */
	public void end() {
		this.ended = true;
	}

	boolean mayStart(ServerPhase phase) {
		if (phase == FIRST) {
			this.ended = false;
		}
		return !this.ended;
	}

	boolean isAutoStartup() {
		return this.autoStartup.getAsBoolean();
	}

}
