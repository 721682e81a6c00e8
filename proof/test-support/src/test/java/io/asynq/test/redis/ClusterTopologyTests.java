package io.asynq.test.redis;

import io.asynq.test.redis.ClusterTopology.Member;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterTopologyTests {

	private static final String NODES = """
			aaa 127.0.0.1:7001@17001 myself,master - 0 0 1 connected 0-5460 5462 [5461->-bbb]
			bbb 127.0.0.1:7002@17002,name master - 0 0 2 connected 5461 5463-10922
			ccc 127.0.0.1:7003@17003 slave bbb 0 0 2 connected
			ddd 127.0.0.1:7004@17004 master,fail - 0 0 3 connected 10923-16383
			""";

	@Test
	void findsMasterOfSlot() {
		ClusterTopology topology = ClusterTopology.parse(NODES);
		assertThat(topology.masters()).extracting(Member::port).containsExactly(7001, 7002);
		assertThat(topology.masterOf(5462)).map(Member::id).contains("aaa");
		assertThat(topology.masterOf(5461)).map(Member::id).contains("bbb");
		assertThat(topology.masterOf(10922)).map(Member::id).contains("bbb");
	}

	@Test
	void slotOfFailedMasterHasNoMaster() {
		assertThat(ClusterTopology.parse(NODES).masterOf(11000)).isEmpty();
	}

}
