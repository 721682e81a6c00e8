package io.asynq.sample;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NightlyReportTests {

	@Test
	void countsTheOrders() {
		OrderStore orders = TestOrders.store();
		assertThat(new NightlyReport(orders).report()).isEqualTo("0 orders");
	}

}
