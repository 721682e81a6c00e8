package io.asynq.broker.redis;

import java.time.Instant;
import java.util.List;

import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
import io.asynq.broker.message.OutcomeResult;
import io.asynq.broker.message.OutcomeResult.Status;
import io.asynq.broker.message.TaskMessage;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Base of the contracts that end active tasks.
 */
abstract class OutcomeContract extends BrokerContract {

	OutcomeContract(RedisConnectionFactory factory) {
		super(factory);
	}

	List<Status> report(Outcome... outcomes) {
		return this.broker.completer().report(List.of(outcomes)).stream().map(OutcomeResult::status).toList();
	}

	LeasedTask active(TaskMessage message) {
		this.state.seedActive(in(30), message);
		this.state.seedField(message.queue(), message.id(), "x-attempt", utf8("present@" + in(30).getEpochSecond()));
		return attempt(message, "present");
	}

	LeasedTask attempt(TaskMessage message, String fence) {
		return new LeasedTask(message, new Lease(message.queue(), message.id(), fence, System.nanoTime()));
	}

	Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
