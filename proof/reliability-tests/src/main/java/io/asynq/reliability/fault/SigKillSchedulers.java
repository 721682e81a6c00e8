package io.asynq.reliability.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.load.Rhythm;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.Ledger;

/** Some kills come at any moment, some just when the schedulers fire. */
public final class SigKillSchedulers extends Fault {

	private static final Duration AHEAD = Duration.ofSeconds(2);

	private static final int SCHEDULERS = 3;

	/** Aimed kills come within this many milliseconds of a fire. */
	private static final int AIM_MILLIS = 40;

	/** A list of entries lives for two heartbeats, in whole seconds of Redis. */
	private static final Duration BEYOND_ENTRIES = Duration.ofSeconds(1);

	/** How far the clock of each scheduler process is ahead. */
	private final Map<Worker, Duration> schedulers = new LinkedHashMap<>();

	SigKillSchedulers() {
		super("sigkill-schedulers", Scenario.of(600, 10), Scenario.of(6_000, 120));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		for (int i = 0; i < SCHEDULERS; i++) {
			start(stage, (i == 0) ? AHEAD : Duration.ZERO);
		}
		for (Worker scheduler : this.schedulers.keySet()) {
			scheduler.awaitReady();
		}
		int kills = (stage.scale() == Scale.QUICK) ? 4 : 24;
		for (int i = 0; i < kills; i++) {
			Worker victim = awaitVictim(stage);
			Duration ahead = this.schedulers.get(victim);
			stage.pause(Duration.ofMillis(stage.random().nextInt(2000)));
			if (i % 2 == 0) {
				stage.pause(untilFire(stage, ahead));
			}
			try (Stage.Window window = stage.window(victim.name(), Explains.NOTHING, "SIGKILL of " + victim)) {
				stage.fleet().kill(victim);
			}
			this.schedulers.remove(victim);
			start(stage, ahead);
		}
		for (Worker scheduler : this.schedulers.keySet()) {
			scheduler.awaitReady();
		}
		endAll(stage);
	}

	@Override
	public List<String> unproved(Ledger ledger) {
		return ledger.fires().fired().stream().anyMatch((fired) -> fired.entry().equals(Rhythm.BEAT)) ? List.of()
				: List.of("nothing fired");
	}

	/**
	 * Picks one that is ready, as soon as another one is: then no fire may be missing.
	 */
	private Worker awaitVictim(Stage stage) throws InterruptedException {
		while (ready().size() < 2) {
			// The oldest is ready first
			for (Worker scheduler : this.schedulers.keySet()) {
				if (!scheduler.isReady()) {
					scheduler.awaitReady();
					break;
				}
			}
		}
		List<Worker> ready = ready();
		return ready.get(stage.random().nextInt(ready.size()));
	}

	private List<Worker> ready() {
		return this.schedulers.keySet().stream().filter(Worker::isReady).toList();
	}

	private void start(Stage stage, Duration ahead) {
		Map<String, String> properties = Rhythm.properties();
		properties.put("asynq.scheduler.heartbeat-interval", heartbeat(stage).toSeconds() + "s");
		properties.put("reliability.clock-offset", ahead.toMillis() + "ms");
		Worker scheduler = stage.fleet().start(WorkerKind.JAVA, properties);
		this.schedulers.put(scheduler, ahead);
	}

	/** The last one deletes the histories, if it sees no entries of killed ones. */
	private void endAll(Stage stage) throws InterruptedException {
		stage.pause(heartbeat(stage).multipliedBy(2).plus(BEYOND_ENTRIES));
		for (Worker scheduler : this.schedulers.keySet()) {
			stage.terminate(scheduler, Explains.NOTHING);
		}
	}

	private static Duration heartbeat(Stage stage) {
		return Duration.ofSeconds((stage.scale() == Scale.QUICK) ? 1 : 10);
	}

	private static Duration untilFire(Stage stage, Duration ahead) {
		Instant now = stage.clock().instant();
		Duration aim = Duration.ofMillis(stage.random().nextInt(2 * AIM_MILLIS) - AIM_MILLIS);
		Rhythm beat = Rhythm.ALL.get(0);
		Instant next = beat.fires(now.plus(ahead), now.plus(ahead).plus(beat.period().multipliedBy(2))).get(0);
		Duration pause = Duration.between(now, next.minus(ahead).plus(aim));
		return pause.isNegative() ? Duration.ZERO : pause;
	}

}
