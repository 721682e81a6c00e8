package io.asynq.reliability.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.check.Resumes;
import io.asynq.reliability.process.Worker;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;

/** None of its tasks ends because of that. */
public final class ClockStep extends Fault {

	private static final List<Duration> STEPS = List.of(Duration.ofSeconds(60), Duration.ofSeconds(-60),
			Duration.ofHours(1), Duration.ofHours(-1));

	/** The default bound after which the tasks of a killed server run again. */
	static final Duration RESUMED = Duration.ofSeconds(36);

	ClockStep() {
		super("clock-step", Scenario.of(2_500, 30), Scenario.of(15_000, 90));
		with((scenario) -> scenario.longTasks(40));
		resumes((scale) -> Resumes.within(timing(scale).properties().isEmpty() ? RESUMED : timing(scale).recovery()));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		Duration pause = (stage.scale() == Scale.QUICK) ? Duration.ofSeconds(2) : Duration.ofSeconds(8);
		for (Duration step : STEPS) {
			Path file = file();
			set(file, Duration.ZERO);
			Worker worker = stage.fleet()
				.start(WorkerKind.JAVA, Map.of("reliability.clock-step-file", file.toString()));
			worker.awaitReady();
			stage.pause(pause);
			try (Stage.Window window = stage.window(worker.name(), Explains.NOTHING,
					"clock of " + worker + " set by " + step)) {
				set(file, step);
				stage.pause(pause);
			}
			stage.kill(worker);
		}
	}

	private static Path file() {
		try {
			Path file = Files.createTempFile("clock-step", ".ms");
			file.toFile().deleteOnExit();
			return file;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void set(Path file, Duration ahead) {
		try {
			Files.writeString(file, ahead.toMillis() + "\n");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
