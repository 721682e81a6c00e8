package io.asynq.console.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.asynq.console.http.ConsoleEvents.Event;
import io.asynq.console.http.ConsoleEvents.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * The open streams. Their thread lives while there are any.
 */
final class EventStreams {

	static final int MOST = 50;

	private static final String HEARTBEAT = ": \n\n";

	private static final String AGAIN = "retry: 1000\n\n";

	private static final String BYE = "event: bye\ndata: {}\n\n";

	private final @Nullable ConsoleEvents events;

	private final Function<Object, byte[]> json;

	private final Times times;

	private final Set<EventStream> open = ConcurrentHashMap.newKeySet();

	private final Lock lock = new ReentrantLock();

	private @Nullable ScheduledThreadPoolExecutor timer;

	private boolean stopped;

	EventStreams(@Nullable ConsoleEvents events, Function<Object, byte[]> json, Times times) {
		this.events = events;
		this.json = json;
		this.times = times;
	}

	EventStream open(@Nullable String queue) {
		ConsoleEvents source = this.events;
		if (source == null) {
			throw new ConsoleException(503, "streams", "There are no events here: ask again instead");
		}
		AtomicReference<@Nullable Subscription> subscription = new AtomicReference<>();
		AtomicBoolean closed = new AtomicBoolean();
		AtomicReference<@Nullable EventStream> self = new AtomicReference<>();
		EventStream stream = new EventStream(() -> {
			closed.set(true);
			EventStream ended = self.get();
			if (ended != null) {
				this.open.remove(ended);
			}
			end(subscription);
			stopTimerIfIdle();
		});
		self.set(stream);
		register(stream);
		try {
			subscription
				.set(source.subscribe(queue, (event) -> stream.offer(event.name() + ' ' + event.key(), text(event))));
		}
		catch (RuntimeException ex) {
			stream.close();
			throw ex;
		}
		if (closed.get()) {
			end(subscription);
		}
		return stream;
	}

	void start() {
		this.lock.lock();
		try {
			this.stopped = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	void stop() {
		this.lock.lock();
		try {
			this.stopped = true;
		}
		finally {
			this.lock.unlock();
		}
		this.open.forEach((stream) -> stream.end(BYE));
	}

	private void register(EventStream stream) {
		this.lock.lock();
		try {
			if (this.stopped || this.open.size() >= MOST) {
				throw new ConsoleException(503, "streams", this.stopped ? "The application is being stopped"
						: "There are " + MOST + " streams already: ask again instead");
			}
			this.open.add(stream);
			// Before the end can come: each stream begins with a sign of life
			stream.offer("heartbeat", HEARTBEAT);
			timer().schedule(() -> stream.end(AGAIN), this.times.longest().toNanos(), TimeUnit.NANOSECONDS);
		}
		finally {
			this.lock.unlock();
		}
	}

	private ScheduledThreadPoolExecutor timer() {
		ScheduledThreadPoolExecutor running = this.timer;
		if (running == null) {
			running = new ScheduledThreadPoolExecutor(1, (task) -> {
				Thread thread = new Thread(task, "asynq-console-streams");
				thread.setDaemon(true);
				return thread;
			});
			long beat = this.times.heartbeat().toNanos();
			running.scheduleAtFixedRate(this::beat, beat, beat, TimeUnit.NANOSECONDS);
			this.timer = running;
		}
		return running;
	}

	private void beat() {
		this.open.forEach((stream) -> stream.offer("heartbeat", HEARTBEAT));
	}

	private void stopTimerIfIdle() {
		this.lock.lock();
		try {
			if (this.open.isEmpty() && this.timer != null) {
				this.timer.shutdownNow();
				this.timer = null;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private String text(Event event) {
		return "event: " + event.name() + "\ndata: " + new String(this.json.apply(event.data()), StandardCharsets.UTF_8)
				+ "\n\n";
	}

	private static void end(AtomicReference<@Nullable Subscription> subscription) {
		Subscription ended = subscription.getAndSet(null);
		if (ended != null) {
			ended.close();
		}
	}

	record Times(Duration heartbeat, Duration longest) {

		static final Times DEFAULT = new Times(Duration.ofSeconds(15), Duration.ofMinutes(10));

	}

}
