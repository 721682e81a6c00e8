package io.asynq.reliability.worker;

import java.time.Duration;
import java.util.Objects;

import io.asynq.annotation.PeriodicTask;
import io.asynq.reliability.load.Rhythm;
import io.asynq.reliability.load.Rhythm.Fire;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskInfo;
import io.asynq.test.ledger.LedgerWriter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/** Each payload names its fire, which the scheduler has just begun. */
record PeriodicTasks(ObjectProvider<AsynqScheduler> scheduler) {

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

	/** Records from when to when this process is responsible for periodic tasks. */
	record Log(LedgerWriter ledger, Duration ahead) {

		@EventListener(ApplicationReadyEvent.class)
		void begins() {
			this.ledger.scheduling(this.ahead);
		}

		@EventListener(ContextClosedEvent.class)
		void ends() {
			this.ledger.schedulingEnds();
		}

	}

}
