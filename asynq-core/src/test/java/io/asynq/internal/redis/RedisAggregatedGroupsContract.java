package io.asynq.internal.redis;

import io.asynq.contract.AggregatedGroupsContract;
import io.asynq.internal.broker.RedisBroker;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The contract of the roles, on Redis.
 */
@OnDrivers
class RedisAggregatedGroupsContract extends AggregatedGroupsContract {

	RedisAggregatedGroupsContract(RedisConnectionFactory factory) {
		super((clock) -> new RedisBroker(factory, clock, ScriptTime.of(clock), RedisBroker.DEFAULT_LEASE_DURATION,
				(task) -> {
				}));
	}

}
