package io.asynq.test.interleaving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Explores schedules. Without a departure the thread that runs goes on until it has to
 * wait, then the next one that can. A departure has another go on, or the time of a timed
 * wait be over. Time is no way out: where nobody can go on, nobody is woken.
 */
public final class Interleaving {

	private static volatile @Nullable Interleaving present;

	private final int departures;

	private final List<int[]> path;

	private final List<StepThread> threads = new ArrayList<>();

	private final Semaphore ended = new Semaphore(0);

	private int choices;

	private int departed;

	private boolean over;

	private @Nullable String failure;

	private Interleaving(int departures, List<int[]> path) {
		this.departures = departures;
		this.path = path;
	}

	/**
	 * Plays a scenario under all schedules.
	 * @param departures how many departures a schedule has at most
	 * @param scenario begins anew whenever it is run
	 * @return how many schedules there are
	 * @throws AssertionError if everyone sleeps in one of them
	 */
	public static int explore(int departures, Runnable scenario) throws InterruptedException {
		List<int[]> path = new ArrayList<>();
		int schedules = 0;
		do {
			new Interleaving(departures, path).play(scenario);
			schedules++;
		}
		while (advance(path));
		return schedules;
	}

	/**
	 * Is a place where another thread may go on.
	 */
	public static void step() {
		await(() -> true, false);
	}

	/**
	 * Waits, which is a step even if there is nothing to wait for.
	 * @param ready what to wait for
	 */
	public static void await(BooleanSupplier ready) {
		await(ready, false);
	}

	/**
	 * Says that the scenario has come to its end: from now on there is one schedule.
	 */
	public static void over() {
		running().over = true;
	}

	/**
	 * Is the time.
	 * @return always the same
	 */
	public static long nanoTime() {
		return 0;
	}

	static boolean await(BooleanSupplier ready, boolean timed) {
		return running().pass(StepThread.current(), ready, timed);
	}

	static Interleaving running() {
		Interleaving running = present;
		if (running == null) {
			throw new IllegalStateException("Nothing is explored");
		}
		return running;
	}

	void add(StepThread thread) {
		this.threads.add(thread);
	}

	void end(StepThread thread) {
		thread.end();
		if (this.threads.stream().allMatch(StepThread::hasEnded)) {
			this.ended.release();
			return;
		}
		StepThread next = choose(thread);
		if (next == null) {
			fail();
		}
		else {
			next.goOn();
		}
	}

	private void play(Runnable scenario) throws InterruptedException {
		present = this;
		StepThread first = new StepThread(scenario, "scenario");
		first.start();
		first.goOn();
		// Only a defect of the exploration itself takes as long
		if (!this.ended.tryAcquire(60, TimeUnit.SECONDS)) {
			throw new IllegalStateException("A thread waits for something else than a step: " + states());
		}
		present = null;
		if (this.failure != null) {
			throw new AssertionError(this.failure);
		}
	}

	private boolean pass(StepThread thread, BooleanSupplier ready, boolean timed) {
		thread.await(ready, timed);
		StepThread next = choose(thread);
		if (next == null) {
			fail();
			thread.sleepForEver();
		}
		else if (next != thread) {
			next.goOn();
			thread.sleep();
		}
		return thread.stopWaiting();
	}

	private @Nullable StepThread choose(StepThread present) {
		List<StepThread> options = new ArrayList<>();
		int from = this.threads.indexOf(present);
		for (int i = 0; i < this.threads.size(); i++) {
			StepThread thread = this.threads.get((from + i) % this.threads.size());
			if (thread.isReady()) {
				options.add(thread);
			}
		}
		if (options.isEmpty()) {
			return null;
		}
		this.threads.stream().filter(StepThread::mayTimeOut).forEach(options::add);
		StepThread chosen = options.get(choice(options.size()));
		chosen.choose();
		return chosen;
	}

	private int choice(int options) {
		if (options == 1 || this.over || this.departed == this.departures) {
			return 0;
		}
		if (this.choices == this.path.size()) {
			this.path.add(new int[] { 0, options });
		}
		int choice = this.path.get(this.choices++)[0];
		this.departed += (choice > 0) ? 1 : 0;
		return choice;
	}

	private void fail() {
		this.failure = "Everyone sleeps. " + states();
		this.ended.release();
	}

	private String states() {
		return this.threads.stream()
			.filter((thread) -> !thread.hasEnded())
			.map((thread) -> "\n" + thread.getName()
					+ Arrays.stream(thread.getStackTrace())
						.filter((frame) -> frame.getClassName().startsWith("io.asynq."))
						.map((frame) -> "\n\tat " + frame)
						.collect(Collectors.joining()))
			.collect(Collectors.joining());
	}

	private static boolean advance(List<int[]> path) {
		while (!path.isEmpty()) {
			int[] last = path.get(path.size() - 1);
			if (++last[0] < last[1]) {
				return true;
			}
			path.remove(path.size() - 1);
		}
		return false;
	}

}
