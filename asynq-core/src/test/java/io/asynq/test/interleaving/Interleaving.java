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
 * Explores schedules. Without a preemption the running thread continues until it must
 * wait, then the next runnable one does. A preemption lets another thread continue, or
 * ends a timed wait. Time alone helps nobody: when no thread can continue, none is woken.
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
	 * @param departures the largest number of preemptions in a schedule
	 * @param scenario starts afresh on each run
	 * @return the number of schedules
	 * @throws AssertionError if in one of them all threads sleep
	 */
	public static int explore(int departures, Runnable scenario) throws InterruptedException {
		return explore(departures, 1, scenario);
	}

	/**
	 * Plays a scenario under all schedules with fewer than the largest number of
	 * preemptions, and under an even sample of those that have as many.
	 * @param departures the largest number of preemptions in a schedule
	 * @param oneIn how many schedules with that number stand for one that is played
	 * @param scenario starts afresh on each run
	 * @return the number of schedules that were played
	 * @throws AssertionError if in one of them all threads sleep
	 */
	public static int explore(int departures, int oneIn, Runnable scenario) throws InterruptedException {
		List<int[]> path = new ArrayList<>();
		int schedules = 0;
		int complete = 0;
		do {
			// Once all preemptions are used up, playing adds nothing to the path
			boolean used = path.stream().filter((choice) -> choice[0] > 0).count() == departures;
			if (!used || complete++ % oneIn == 0) {
				new Interleaving(departures, path).play(scenario);
				schedules++;
			}
		}
		while (advance(path));
		return schedules;
	}

	/**
	 * A point where another thread may continue.
	 */
	public static void step() {
		await(() -> true, false);
	}

	/**
	 * Waits, which is a step even if there is nothing to wait for.
	 */
	public static void await(BooleanSupplier ready) {
		await(ready, false);
	}

	/**
	 * Ends the scenario: from now on there is one schedule.
	 */
	public static void over() {
		running().over = true;
	}

	/**
	 * The time, which never changes.
	 */
	public static long nanoTime() {
		return 0;
	}

	public static boolean await(BooleanSupplier ready, boolean timed) {
		return running().pass(StepThread.current(), ready, timed);
	}

	public static Interleaving running() {
		Interleaving running = present;
		if (running == null) {
			throw new IllegalStateException("Nothing is explored");
		}
		return running;
	}

	public void add(StepThread thread) {
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
				if (isDecided()) {
					break;
				}
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

	/**
	 * Returns whether from now on there is one schedule.
	 */
	private boolean isDecided() {
		return this.over || this.departed == this.departures;
	}

	private int choice(int options) {
		if (options == 1 || isDecided()) {
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
