package io.asynq.cli.dash;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskNotFoundException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.operations.QueueOperations;
import io.asynq.operations.TaskOperations;
import org.jline.utils.Signals;

/**
 * Waits for keys, readings and time, one after the other. Redis is asked by another
 * thread, so keys never wait for it.
 */
public final class DashLoop implements Outside {

	/** What a shell expects of a program that SIGTERM has ended. */
	private static final int TERMINATED = 143;

	/**
	 * JLine guesses the end of input by the time that a read takes, so one may be none.
	 */
	private static final int ENDS = 50;

	private static final long CLOSE_MILLIS = 5000;

	private final TerminalDisplay display;

	private final Desk desk;

	private final Dash dash;

	private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();

	private final ScheduledExecutorService redis = Executors.newSingleThreadScheduledExecutor(daemons("redis"));

	private final AtomicBoolean reading = new AtomicBoolean();

	private final AtomicBoolean stopActing = new AtomicBoolean();

	private volatile boolean closing;

	private boolean ended;

	private int code;

	private DashLoop(TerminalDisplay display, Desk desk, Clock clock) {
		this.display = display;
		this.desk = desk;
		this.dash = new Dash(this, clock, display.width(), display.height());
	}

	/**
	 * Goes on until the user ends it, and returns the exit code; fails without a
	 * terminal.
	 */
	public static int run(AsynqInspector inspector, TaskOperations tasks, Clock clock, Duration refresh,
			boolean colours) throws IOException, InterruptedException {
		try (TerminalDisplay display = TerminalDisplay.open(colours)) {
			Desk desk = new Desk(inspector, new QueueOperations(inspector), tasks);
			return new DashLoop(display, desk, clock).run(refresh);
		}
	}

	private int run(Duration refresh) throws InterruptedException {
		for (String signal : new String[] { "TERM", "HUP" }) {
			Signals.register(signal, () -> this.events.add(() -> end(TERMINATED)));
		}
		this.display.onResize(() -> this.events.add(() -> {
			this.display.forget();
			this.dash.resized(this.display.width(), this.display.height());
		}));
		Thread reader = daemons("keys").newThread(this::readKeys);
		reader.start();
		ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(daemons("refresh"));
		try {
			timer.scheduleAtFixedRate(() -> this.events.add(this.dash::refresh), 0, refresh.toMillis(),
					TimeUnit.MILLISECONDS);
			while (!this.ended) {
				this.display.show(Screens.draw(this.dash, this.display.width(), this.display.height()));
				Runnable event = this.events.take();
				while (event != null) {
					event.run();
					event = this.events.poll();
				}
			}
			return this.code;
		}
		finally {
			this.stopActing.set(true);
			timer.shutdownNow();
			this.redis.shutdownNow();
			// Who waits for a key holds what the terminal needs to be closed
			this.closing = true;
			reader.join(CLOSE_MILLIS);
		}
	}

	@Override
	public void read(Place place, Part part) {
		// A slow Redis does not get more questions than it answers
		if (this.reading.compareAndSet(false, true)) {
			this.redis.execute(() -> {
				Runnable event = answer(place, part);
				this.reading.set(false);
				this.events.add(() -> {
					event.run();
					if (!place.equals(this.dash.place()) || !part.equals(this.dash.current.part)) {
						this.dash.refresh();
					}
				});
			});
		}
	}

	@Override
	public void act(Act act) {
		this.stopActing.set(false);
		this.redis.execute(() -> {
			String result;
			try {
				result = this.desk.act(act, (done) -> this.events.add(() -> this.dash.progress(done)),
						this.stopActing::get);
			}
			catch (RuntimeException ex) {
				result = String.valueOf(ex.getMessage());
			}
			String told = result;
			this.events.add(() -> this.dash.acted(told));
		});
	}

	@Override
	public void stopActing() {
		this.stopActing.set(true);
	}

	@Override
	public void redraw() {
		this.display.forget();
	}

	@Override
	public void quit() {
		end(0);
	}

	private void end(int exitCode) {
		this.ended = true;
		this.code = exitCode;
	}

	private Runnable answer(Place place, Part part) {
		try {
			Reading read = this.desk.read(place, part);
			return () -> this.dash.loaded(place, part, read);
		}
		catch (TaskNotFoundException | QueueNotFoundException ex) {
			return () -> this.dash.gone(place, String.valueOf(ex.getMessage()));
		}
		catch (BrokerUnavailableException ex) {
			return () -> this.dash.away(String.valueOf(ex.getMessage()));
		}
		catch (AsynqException ex) {
			return () -> this.dash.refused(String.valueOf(ex.getMessage()));
		}
		catch (RuntimeException ex) {
			return () -> this.dash.away(ex.toString());
		}
	}

	private void readKeys() {
		int ends = 0;
		try {
			while (ends < ENDS && !this.closing) {
				Key key = this.display.read();
				ends = (key != null && key.name() == Key.Name.END_OF_INPUT) ? ends + 1 : 0;
				if (key != null && ends == 0) {
					this.events.add(() -> this.dash.key(key));
				}
			}
		}
		catch (IOException ex) {
			// The end of input as well
		}
		this.events.add(this::quit);
	}

	private static ThreadFactory daemons(String name) {
		return (runnable) -> {
			Thread thread = new Thread(runnable, "asynq-dash-" + name);
			thread.setDaemon(true);
			return thread;
		};
	}

}
