package io.asynq.reliability.redis;

import java.util.List;
import java.util.function.Function;

import io.asynq.reliability.redis.ClusterTopology.Member;
import redis.clients.jedis.params.MigrateParams;

/**
 * A slot on its way to another master.
 *
 * @param slot the slot
 * @param from who serves it
 * @param to who will serve it
 */
record SlotMove(int slot, Member from, Member to) {

	private static final int KEYS_AT_ONCE = 10;

	private static final int TIMEOUT_MILLIS = 5000;

	void run(Function<Member, RedisNode> process) {
		RedisNode source = process.apply(this.from);
		RedisNode target = process.apply(this.to);
		target.call((jedis) -> jedis.clusterSetSlotImporting(this.slot, this.from.id()));
		source.call((jedis) -> jedis.clusterSetSlotMigrating(this.slot, this.to.id()));
		while (moveSome(source)) {
			continue;
		}
		// In this order a crash in between leaves nobody without a master
		target.call((jedis) -> jedis.clusterSetSlotNode(this.slot, this.to.id()));
		source.call((jedis) -> jedis.clusterSetSlotNode(this.slot, this.to.id()));
	}

	private boolean moveSome(RedisNode source) {
		List<String> keys = source.call((jedis) -> jedis.clusterGetKeysInSlot(this.slot, KEYS_AT_ONCE));
		if (keys.isEmpty()) {
			return false;
		}
		source.call((jedis) -> jedis.migrate(Ports.HOST, this.to.port(), TIMEOUT_MILLIS, new MigrateParams(),
				keys.toArray(String[]::new)));
		return true;
	}

}
