package io.asynq.event;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.asynq.context.ContextPropagators;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OncePerMinute;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.context.SmartLifecycle;

/**
 * Hands events over to listeners: whoever has an event adds it to a queue and continues,
 * and one thread calls the listeners from start to stop. Events that are told before the
 * start wait for it. A stop gives the listeners half a second for what still waits. At
 * most 8,192 events wait, with payloads of at most 32 MiB; further ones are dropped and
 * counted. Safe for concurrent use; can be started again after a stop.
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
	 * Creates the hand-over without starting it.
	 * @param listeners returns the listeners in the order in which they are called; asked
	 * at each start, because they may themselves need what tells events
	 */
	public TaskEvents(Supplier<List<TaskListener>> listeners) {
		this(listeners, ContextPropagators.none());
	}

	/**
	 * Creates the hand-over without starting it.
	 * @param listeners returns the listeners in the order in which they are called; asked
	 * at each start, because they may themselves need what tells events
	 * @param contexts give listeners the context in which the task was enqueued
	 */
	public TaskEvents(Supplier<List<TaskListener>> listeners, ContextPropagators contexts) {
		this(listeners, contexts, true, ROOM);
	}

	TaskEvents(Supplier<List<TaskListener>> listeners, ContextPropagators contexts, boolean on, int room) {
		this(listeners, contexts, on, room, STOP_MILLIS);
	}

	/**
	 * @param stopMillis how long a stop waits for listeners
	 */
	TaskEvents(Supplier<List<TaskListener>> listeners, ContextPropagators contexts, boolean on, int room,
			long stopMillis) {
		this.stopMillis = stopMillis;
		this.source = listeners;
		this.calls = new ListenerCalls(contexts);
		this.on = on;
		this.waiting = new EventQueue(room, BYTES);
	}

	/**
	 * Returns events that nobody listens to, which cost nothing.
	 * @return always the same
	 */
	public static TaskEvents none() {
		return NONE;
	}

	/**
	 * Returns whether there may be a listener.
	 * @return {@code false} if no event need be made
	 */
	public boolean isOn() {
		return this.on;
	}

	/**
	 * Returns whether a listener wants a type of events.
	 * @param type the type
	 * @return {@code false} if such an event need not be made
	 */
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
	 * From the next start on, calls the listeners in the thread that has the event,
	 * before {@link #tell} returns. For tests: in an application, a listener that is slow
	 * would keep tasks waiting.
	 */
	public void callListenersDirectly() {
		this.direct = true;
	}

	/**
	 * Adds an event for the listeners that want it, without waiting.
	 * @param event what has happened
	 */
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

	/**
	 * Returns how many events wait for the listeners.
	 * @return at the moment
	 */
	public int waiting() {
		return this.waiting.size();
	}

	/**
	 * Returns how many events were dropped because too many waited.
	 * @return since the JVM started
	 */
	public long dropped() {
		return this.dropped.sum();
	}

	/**
	 * Returns how many calls of a listener have thrown something.
	 * @return since the JVM started
	 */
	public long failures() {
		return this.calls.failures();
	}

	/**
	 * Returns how many calls of a listener have taken more than a second.
	 * @return since the JVM started
	 */
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

	/**
	 * The thread that calls the listeners from a start to a stop.
	 */
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

		/**
		 * Returns the present stack trace of the thread, for a log line.
		 */
		Exception where() {
			Exception stack = new Exception("where the listeners are");
			stack.setStackTrace(this.thread.getStackTrace());
			return stack;
		}

	}

}
