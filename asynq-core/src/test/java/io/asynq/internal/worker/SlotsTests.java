package io.asynq.internal.worker;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlotsTests {

	private final AtomicInteger told = new AtomicInteger();

	private final Slots slots = new Slots(3, this.told::incrementAndGet);

	@Test
	void offersFreeSlots() {
		assertThat(this.slots.offered()).isEqualTo(3);
		runOne();
		assertThat(this.slots.offered()).isEqualTo(2);
		this.slots.release();
		assertThat(this.slots.offered()).isEqualTo(3);
	}

	@Test
	void offersNothingWhileTaskWaitsForThread() {
		this.slots.take();
		assertThat(this.slots.offered()).isZero();
		this.slots.started();
		assertThat(this.slots.offered()).isEqualTo(2);
	}

	@Test
	void notifiesOnceOfNextOfferOnRequest() {
		fill();
		assertThat(this.slots.awaitOffer()).isFalse();
		this.slots.release();
		this.slots.release();
		assertThat(this.told).hasValue(1);
	}

	@Test
	void notifiesNobodyWithoutRequest() {
		fill();
		this.slots.release();
		assertThat(this.told).hasValue(0);
	}

	@Test
	void notifiesWhenLastTaskHasGotThread() {
		this.slots.take();
		assertThat(this.slots.awaitOffer()).isFalse();
		this.slots.started();
		assertThat(this.told).hasValue(1);
	}

	@Test
	void reportsAvailableOfferAtOnce() {
		assertThat(this.slots.awaitOffer()).isTrue();
	}

	private void runOne() {
		this.slots.take();
		this.slots.started();
	}

	private void fill() {
		runOne();
		runOne();
		runOne();
	}

}
