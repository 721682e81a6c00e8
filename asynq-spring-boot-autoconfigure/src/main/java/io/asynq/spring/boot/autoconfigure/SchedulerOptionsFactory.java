package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.function.Consumer;

import io.asynq.schedule.SchedulerOptions;

final class SchedulerOptionsFactory {

	private static final String PREFIX = "asynq.scheduler.";

	private final AsynqProperties.Scheduler properties;

	SchedulerOptionsFactory(AsynqProperties.Scheduler properties) {
		this.properties = properties;
	}

	SchedulerOptions create(Clock clock) {
		SchedulerOptions.Builder options = SchedulerOptions.builder()
			.clock(clock)
			.zone(zone())
			.clusterSafe(this.properties.clusterSafe())
			.missedFires(this.properties.missedFires());
		interval("heartbeat-interval", this.properties.heartbeatInterval(), options::heartbeatInterval);
		interval("sync-interval", this.properties.syncInterval(), options::syncInterval);
		try {
			return options.build();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(PREFIX + "missed-fires", this.properties.missedFires(),
					ex.getMessage() + ".");
		}
	}

	private ZoneId zone() {
		try {
			return ZoneId.of(this.properties.zone());
		}
		catch (DateTimeException ex) {
			throw new InvalidAsynqPropertyException(PREFIX + "zone", this.properties.zone(),
					"There is no such time zone; name one like Europe/Berlin or UTC.");
		}
	}

	private static void interval(String name, Duration value, Consumer<Duration> setter) {
		try {
			setter.accept(value);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(PREFIX + name, value,
					"It must be at least 1 second and at most 100 years.");
		}
	}

}
