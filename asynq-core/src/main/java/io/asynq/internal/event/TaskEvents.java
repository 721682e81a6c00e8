package io.asynq.internal.event;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.asynq.context.ContextPropagators;
import io.asynq.event.ArchiveReason;
import io.asynq.event.TaskEvent;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskListener;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OncePerMinute;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.context.SmartLifecycle;

/**
 * Whoever has an event adds it to a bounded queue and continues, and one thread calls the
 * listeners from start to stop; events that are told before the start wait for it.
 */
public final class TaskEvents implements SmartLifecycle {

	private static final Logger logger = OneLineLogger.of(TaskEvents.class);

	private static final TaskEvents NONE = new TaskEvents(List::of, ContextPropagators.none(), false, 0);

	private static final int ROOM = 8192;

	private static final long BYTES = 32L * 1024 * 1024;

	/** Server and scheduler have the rest of the 5 s that a stop may take. */
	private static final long STOP_MILLIS = 500;

	private final Supplier<List<TaskListener>> source;

	private final boolean on;

	private final EventQueue waiting;

	private final long stopMillis;

	private final ListenerCalls calls;

	private final LongAdder dropped = new LongAdder();

	private final OncePerMinute droppedLines = new OncePerMinute(System::nanoTime);

	private final Map<Class<? extends TaskEvent>, Boolean> wanted = new ConcurrentHashMap<>();

	/** Unknown before the first start. */
	private volatile @Nullable List<TaskListener> listeners;

	private volatile @Nullable Delivery delivery;

	private volatile boolean direct;

	/**
	 * The listeners are asked for at each start, because they may themselves need what
	 * tells events.
	 */
	public TaskEvents(Supplier<List<TaskListener>> listeners) {
		this(listeners, ContextPropagators.none());
	}

	public TaskEvents(Supplier<List<TaskListener>> listeners, ContextPropagators contexts) {
		this(listeners, contexts, true, ROOM);
	}

	TaskEvents(Supplier<List<TaskListener>> listeners, ContextPropagators contexts, boolean on, int room) {
		this(listeners, contexts, on, room, STOP_MILLIS);
	}

	TaskEvents(Supplier<List<TaskListener>> listeners, ContextPropagators contexts, boolean on, int room,
			long stopMillis) {
		this.stopMillis = stopMillis;
		this.source = listeners;
		this.calls = new ListenerCalls(contexts);
		this.on = on;
		this.waiting = new EventQueue(room, BYTES);
	}

	public static TaskEvents none() {
		return NONE;
	}

	public boolean isOn() {
		return this.on;
	}

	public boolean isWanted(Class<? extends TaskEvent> type) {
		List<TaskListener> known = this.listeners;
		if (!this.on || known == null) {
			return this.on;
		}
		Boolean any = this.wanted.get(type);
		return (any != null) ? any : this.wanted.computeIfAbsent(type,
				(asked) -> known.stream().anyMatch((listener) -> ListenerCalls.listensTo(listener, asked)));
	}

	/**
	 * From the next start on; for tests, because in an application a slow listener would
	 * keep tasks waiting.
	 */
	public void callListenersDirectly() {
		this.direct = true;
	}

	public void tell(TaskEvent event) {
		if (!isWanted(event.getClass())) {
			return;
		}
		Delivery present = this.delivery;
		if (this.direct && present != null) {
			this.calls.call(present.listeners, event);
		}
		else if (!this.waiting.offer(event)) {
			this.dropped.increment();
			if (this.droppedLines.allows("")) {
				warnOfDrops();
			}
		}
	}

	public void tellArchived(TaskFacts facts, String error, @Nullable Throwable cause, ArchiveReason reason) {
		tell(new TaskEvent.Archived(facts, error, cause, reason));
		if (reason.isExhaustion()) {
			tell(new TaskEvent.Exhausted(facts, error, cause, reason));
		}
	}

	public int waiting() {
		return this.waiting.size();
	}

	public long dropped() {
		return this.dropped.sum();
	}

	public long failures() {
		return this.calls.failures();
	}

	public long slow() {
		return this.calls.slow();
	}

	@Override
	public synchronized void start() {
		if (!this.on || this.delivery != null) {
			return;
		}
		List<TaskListener> present = List.copyOf(this.source.get());
		this.wanted.clear();
		this.listeners = present;
		Delivery created = new Delivery(present);
		if (this.direct) {
			this.delivery = created;
			// Tells what has waited and returns, because the queue is closed
			created.run();
			return;
		}
		this.waiting.open();
		created.thread.start();
		this.delivery = created;
	}

	@Override
	public synchronized void stop() {
		Delivery stopping = this.delivery;
		if (stopping == null) {
			return;
		}
		this.delivery = null;
		this.waiting.close();
		// A listener may itself stop the application
		if (stopping.thread != Thread.currentThread() && !stopping.hasEnded()) {
			stopping.abandoned = true;
			logger.warn(
					"Listeners have not returned within {} ms and are interrupted: {} events wait for the next start",
					this.stopMillis, this.waiting.size(), stopping.where());
			stopping.thread.interrupt();
		}
	}

	@Override
	public boolean isRunning() {
		return this.delivery != null;
	}

	/**
	 * Stops after everything that has events to tell.
	 */
	@Override
	public int getPhase() {
		return ServerPhase.LISTENERS.value();
	}

	private void warnOfDrops() {
		Delivery present = this.delivery;
		logger.warn("Events come faster than listeners handle them: {} were dropped so far", this.dropped.sum(),
				(present != null) ? present.where() : null);
	}

	private final class Delivery implements Runnable {

		private final List<TaskListener> listeners;

		private final Thread thread = new Thread(this, "asynq-listeners");

		private volatile boolean abandoned;

		Delivery(List<TaskListener> listeners) {
			this.listeners = listeners;
			this.thread.setDaemon(true);
		}

		@Override
		public void run() {
			TaskEvent event = TaskEvents.this.waiting.take();
			while (event != null) {
				try {
					TaskEvents.this.calls.call(this.listeners, event);
				}
				catch (Throwable ex) {
					// Out of memory: the events that follow may find more
					UserCode.uncaught(ex);
				}
				event = this.abandoned ? null : TaskEvents.this.waiting.take();
			}
		}

		boolean hasEnded() {
			try {
				this.thread.join(TaskEvents.this.stopMillis);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return !this.thread.isAlive();
		}

		Exception where() {
			Exception stack = new Exception("where the listeners are");
			stack.setStackTrace(this.thread.getStackTrace());
			return stack;
		}

	}

}
