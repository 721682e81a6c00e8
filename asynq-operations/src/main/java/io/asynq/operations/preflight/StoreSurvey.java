package io.asynq.operations.preflight;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

import io.asynq.Broker;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.ScriptRunner;
import org.springframework.data.redis.connection.RedisClusterNode;

public final class StoreSurvey {

	private final ScriptRunner scripts;

	public StoreSurvey(Broker broker) {
		this.scripts = RedisBroker.of(broker).scripts();
	}

	public List<Node> nodes() {
		List<Node> nodes = new ArrayList<>();
		for (StoreNode node : StoreNode.all(this.scripts)) {
			Properties info = node.info();
			Map<String, String> sorted = new TreeMap<>();
			if (info != null) {
				info.stringPropertyNames().forEach((name) -> sorted.put(name, info.getProperty(name)));
			}
			RedisClusterNode master = node.node();
			nodes.add(new Node(node.address(), sorted, (master != null) ? master.getSlotRange().getSlots().size() : 0));
		}
		return nodes;
	}

	/** The only server has an empty address and no slots. */
	public record Node(String address, Map<String, String> info, int slots) {
	}

}
