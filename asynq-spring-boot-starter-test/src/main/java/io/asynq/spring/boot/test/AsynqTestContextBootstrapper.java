package io.asynq.spring.boot.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Finds the application and the properties of an {@link AsynqTest}. */
final class AsynqTestContextBootstrapper extends TestSliceTestContextBootstrapper<AsynqTest> {

}
