package io.asynq.console.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.asynq.console.http.ConsoleEvents.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way to one browser, as text of server-sent events. A slow browser gets
 * the newest event of each kind and misses those between. Safe for concurrent use.
 */
public final class EventStream implements AutoCloseable {

	private static final Runnable NOBODY = () -> {
	};

	private final Map<String, String> pending = new LinkedHashMap<>();

	private final Consumer<EventStream> whenClosed;

	private @Nullable Subscription subscription;

	private Runnable whenReady = NOBODY;

	private boolean ending;

	private boolean closed;

	EventStream(Consumer<EventStream> whenClosed) {
		this.whenClosed = whenClosed;
	}

	/**
	 * Steps, never two at once, take what there is; the end comes once, after the last.
	 */
	public void start(Executor executor, Runnable step, Runnable end) {
		AtomicInteger calls = new AtomicInteger();
		Runnable steps = () -> {
			int seen;
			do {
				seen = calls.get();
				step.run();
				if (isOver()) {
					end.run();
					return;
				}
			}
			while (calls.addAndGet(-seen) != 0);
		};
		synchronized (this.pending) {
			this.whenReady = () -> {
				if (calls.getAndIncrement() == 0) {
					executor.execute(steps);
				}
			};
		}
		wake();
	}

	public void wake() {
		Runnable ready;
		synchronized (this.pending) {
			ready = this.whenReady;
		}
		ready.run();
	}

	public @Nullable String poll() {
		synchronized (this.pending) {
			if (this.pending.isEmpty()) {
				return null;
			}
			String key = this.pending.keySet().iterator().next();
			return this.pending.remove(key);
		}
	}

	public boolean isOver() {
		synchronized (this.pending) {
			return this.closed || (this.ending && this.pending.isEmpty());
		}
	}

	/** Ends the stream at once; to be called when the browser is gone as well. */
	@Override
	public void close() {
		synchronized (this.pending) {
			if (this.closed) {
				return;
			}
			this.closed = true;
		}
		this.whenClosed.accept(this);
		endIfClosed();
		wake();
	}

	/** Takes the place of an event with the same key that was not taken yet. */
	void offer(String key, String text) {
		tell(key, text, false);
	}

	void end(String text) {
		tell("end", text, true);
	}

	void reads(Subscription events) {
		synchronized (this.pending) {
			this.subscription = events;
		}
		endIfClosed();
	}

	/** The stream may be closed while it is being subscribed. */
	private void endIfClosed() {
		Subscription ended;
		synchronized (this.pending) {
			ended = this.closed ? this.subscription : null;
		}
		if (ended != null) {
			ended.close();
		}
	}

	private void tell(String key, String text, boolean last) {
		synchronized (this.pending) {
			if (this.ending || this.closed) {
				return;
			}
			this.pending.put(key, text);
			this.ending = last;
		}
		wake();
	}

}
