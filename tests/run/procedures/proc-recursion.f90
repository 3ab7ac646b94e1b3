! Direct and mutual recursion, with local arrays of each activation.
module recursive_ones
  implicit none
contains
  recursive integer function fact(n) result(f)
    integer, intent(in) :: n
    if (n <= 1) then
      f = 1
    else
      f = n * fact(n - 1)
    end if
  end function fact
  recursive subroutine hanoi(n, from, to, moves)
    integer, intent(in) :: n, from, to
    integer, intent(inout) :: moves
    if (n == 0) return
    call hanoi(n - 1, from, 6 - from - to, moves)
    moves = moves + 1
    if (n == 4) print *, 'largest from', from, 'to', to, 'after', moves
    call hanoi(n - 1, 6 - from - to, to, moves)
  end subroutine hanoi
  recursive logical function even(n) result(r)
    integer, intent(in) :: n
    r = .true.
    if (n > 0) r = odd(n - 1)
  end function even
  recursive logical function odd(n) result(r)
    integer, intent(in) :: n
    r = .false.
    if (n > 0) r = even(n - 1)
  end function odd
  recursive subroutine reverse(n)
    integer, intent(in) :: n
    integer :: local(2)
    local(1) = n
    local(2) = n * n
    if (n > 1) call reverse(n - 1)
    print *, local
  end subroutine reverse
end module recursive_ones
program proc_recursion
  use recursive_ones
  implicit none
  integer :: moves
  moves = 0
  print *, fact(10)
  call hanoi(4, 1, 3, moves)
  print *, moves, even(10), even(7), odd(3)
  call reverse(3)
end program
