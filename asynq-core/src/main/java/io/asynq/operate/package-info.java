/**
 * What an operator looks at and does by hand, for the actuator endpoint and a console:
 * bounded, and with the answers that these show.
 */
@NullMarked
package io.asynq.operate;

import org.jspecify.annotations.NullMarked;
