/** p(?X) is multi
 * @cost steps >= 1
 * @cost first steps =< 2
 */
p(1).
p(2).
