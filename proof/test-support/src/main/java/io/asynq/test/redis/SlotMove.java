package io.asynq.test.redis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import io.asynq.test.redis.ClusterTopology.Member;
import redis.clients.jedis.params.MigrateParams;

record SlotMove(int slot, Member from, Member to, Random order) {

	/** Single keys, so that each step splits a queue in another way. */
	private static final int KEYS_AT_ONCE = 1;

	private static final long STEP_NANOS = 10_000_000;

	private static final int LOOK_AHEAD = 1000;

	private static final int TIMEOUT_MILLIS = 5000;

	void run(Function<Member, RedisNode> process) {
		RedisNode source = process.apply(this.from);
		RedisNode target = process.apply(this.to);
		target.call((jedis) -> jedis.clusterSetSlotImporting(this.slot, this.from.id()));
		source.call((jedis) -> jedis.clusterSetSlotMigrating(this.slot, this.to.id()));
		while (moveSome(source)) {
			LockSupport.parkNanos(STEP_NANOS);
		}
		// In this order, a crash in between leaves no slot without a master
		target.call((jedis) -> jedis.clusterSetSlotNode(this.slot, this.to.id()));
		source.call((jedis) -> jedis.clusterSetSlotNode(this.slot, this.to.id()));
	}

	private boolean moveSome(RedisNode source) {
		List<String> present = source.call((jedis) -> jedis.clusterGetKeysInSlot(this.slot, LOOK_AHEAD));
		if (present.isEmpty()) {
			return false;
		}
		List<String> shuffled = new ArrayList<>(present);
		Collections.shuffle(shuffled, this.order);
		List<String> keys = shuffled.subList(0, Math.min(KEYS_AT_ONCE, shuffled.size()));
		source.call((jedis) -> jedis.migrate(Ports.HOST, this.to.port(), TIMEOUT_MILLIS, new MigrateParams(),
				keys.toArray(String[]::new)));
		return true;
	}

}
