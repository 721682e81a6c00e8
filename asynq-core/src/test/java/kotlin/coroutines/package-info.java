/**
 * The type of Kotlin that tests of suspend functions need.
 */
@NullMarked
package kotlin.coroutines;

import org.jspecify.annotations.NullMarked;
