package io.asynq.broker.redis;

import io.asynq.broker.contract.AggregatedGroupsContract;

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
