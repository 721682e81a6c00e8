package io.asynq.internal.schedule;

import java.time.Instant;

import io.asynq.AsynqException;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Fires once for all missed fires, at the time of the last one, so that all schedulers
 * that come back fire the same.
 */
final class CatchUpJob implements Runnable {

	private static final Logger logger = OneLineLogger.of(CatchUpJob.class);

	private final Scheduling scheduling;

	private final Entry entry;

	CatchUpJob(Scheduling scheduling, Entry entry) {
		this.scheduling = scheduling;
		this.entry = entry;
	}

	@Override
	public void run() {
		Instant missed;
		try {
			Instant now = this.scheduling.now();
			Instant last = this.scheduling.store().lastFire(this.entry.queue(), this.entry.id(), now);
			missed = this.entry.schedule().last(last, now);
		}
		catch (AsynqException ex) {
			logger.warn("{}: could not check for missed fires, will try again with the next heartbeat: {}", this.entry,
					ex.getMessage());
			this.entry.fellBehind();
			return;
		}
		if (missed != null) {
			logger.info("{}: fires were missed, the last one at {}", this.entry, missed);
			new FireJob(this.scheduling, this.entry, missed, true).run();
		}
	}

}
