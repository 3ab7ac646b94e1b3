! Structures of one byte, whose elements are moved as bytes and set by their component: one variable, by two names.
program main
  implicit none
  type small
    integer(1) :: v
  end type
  type(small) :: all(3, 3), fill(9), some(9)
  integer :: i
  fill%v = [(int(i + 10, 1), i = 1, 9)]
  all%v = reshape([1_1, -1_1, 2_1, -2_1, 3_1, -3_1, 4_1, -4_1, 5_1], [3, 3])
  some = pack(all, all%v > 0, fill)
  print '(9i4)', some%v
  some(1:3) = all(:, 2)
  all(2, 2)%v = 7
  print '(9i4)', some(1:4)%v, all(2, 2)%v
end program
