package io.asynq.reliability.worker;

import java.util.Objects;

import io.asynq.annotation.PeriodicTask;
import io.asynq.reliability.load.Fire;
import io.asynq.reliability.load.Rhythm;
import io.asynq.scheduler.AsynqScheduler;
import io.asynq.scheduler.PeriodicTaskInfo;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The periodic tasks of a process that is configured to have them. Each payload names its
 * fire, which the scheduler has just begun.
 */
final class PeriodicTasks {

	private final ObjectProvider<AsynqScheduler> scheduler;

	PeriodicTasks(ObjectProvider<AsynqScheduler> scheduler) {
		this.scheduler = scheduler;
	}

	@PeriodicTask(id = Rhythm.BEAT, cron = "${" + Rhythm.PROPERTY + Rhythm.BEAT + ":-}", type = Rhythm.TYPE,
			queue = Rhythm.QUEUE)
	Fire beat() {
		return fire(Rhythm.BEAT);
	}

	@PeriodicTask(id = Rhythm.MINUTE, cron = "${" + Rhythm.PROPERTY + Rhythm.MINUTE + ":-}", type = Rhythm.TYPE,
			queue = Rhythm.QUEUE)
	Fire minute() {
		return fire(Rhythm.MINUTE);
	}

	private Fire fire(String entry) {
		PeriodicTaskInfo info = this.scheduler.getObject()
			.entries()
			.stream()
			.filter((candidate) -> candidate.id().equals(entry))
			.findFirst()
			.orElseThrow();
		return new Fire(entry, Objects.requireNonNull(info.previous()).getEpochSecond());
	}

}
