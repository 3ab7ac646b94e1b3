! Remainders by constants that are compared with constants, against those by variables, for numbers of both signs and both ends of each kind.
program remainders
  implicit none
  integer, parameter :: n = 4000
  integer(4) :: small(-n:n)
  integer(8) :: large(-n:n)
  integer(2) :: short(-n:n)
  integer :: i, wrong
  do i = -n, n
    small(i) = i
    large(i) = i
    short(i) = int(i*8, 2)
  end do
  do i = 0, 1000
    small(-n + i) = -huge(1) - 1 + i
    small(n - i) = huge(1) - i
    large(-n + i) = -huge(1_8) - 1 + i
    large(n - i) = huge(1_8) - i
    small(-2000 + i) = -huge(1) - 1 + 715827*i
    small(2000 - i) = huge(1) - 715827*i
    large(-2000 + i) = -huge(1_8) - 1 + 3074457345618258_8*i
    large(2000 - i) = huge(1_8) - 3074457345618258_8*i
  end do
  wrong = 0
  call of_small(2, 3, 6)
  call of_large(4_8, 10_8, 7_8)
  call of_short(8_2, 5_2, 12_2)
  print *, wrong
contains
  subroutine check(is_true, expected)
    logical, intent(in) :: is_true, expected
    if (is_true .neqv. expected) wrong = wrong + 1
  end subroutine
  subroutine of_small(p, q, r)
    integer(4), intent(in) :: p, q, r
    integer :: i, zero, odd, threes
    zero = 0; odd = 0; threes = 0
    do i = -n, n
      call check(mod(small(i), 2) == 0, mod(small(i), p) == 0)
      call check(mod(small(i), 2) /= 0, mod(small(i), p) /= 0)
      call check(mod(small(i), 2) == 1, mod(small(i), p) == 1)
      call check(mod(small(i), 2) == -1, mod(small(i), p) == -1)
      call check(modulo(small(i), 2) == 1, modulo(small(i), p) == 1)
      call check(mod(small(i), 2) == 2, mod(small(i), p) == 2)
      call check(mod(small(i), 3) == 0, mod(small(i), q) == 0)
      call check(modulo(small(i), 6) /= 0, modulo(small(i), r) /= 0)
      call check(mod(small(i), 6) == 0, mod(small(i), r) == 0)
      call check(mod(small(i), 1073741824) == 0, mod(small(i), p*536870912) == 0)
      call check(mod(small(i), huge(1)) == 0, mod(small(i), huge(p)) == 0)
      if (mod(small(i), 2) == 0) zero = zero + 1
      if (mod(small(i), 2) == 1) odd = odd + 1
      if (mod(small(i), 3) == 0) threes = threes + 1
    end do
    print *, zero, odd, threes
  end subroutine
  subroutine of_large(p, q, r)
    integer(8), intent(in) :: p, q, r
    integer :: i, zero, tens
    zero = 0; tens = 0
    do i = -n, n
      call check(mod(large(i), 4_8) == 0, mod(large(i), p) == 0)
      call check(mod(large(i), 4_8) == 3, mod(large(i), p) == 3)
      call check(mod(large(i), 4_8) /= 3, mod(large(i), p) /= 3)
      call check(modulo(large(i), 4_8) == 3, modulo(large(i), p) == 3)
      call check(mod(large(i), 10_8) == 0, mod(large(i), q) == 0)
      call check(modulo(large(i), 10_8) /= 0, modulo(large(i), q) /= 0)
      call check(mod(large(i), 7_8) == 0, mod(large(i), r) == 0)
      call check(mod(large(i), 4611686018427387904_8) == 0, mod(large(i), p*1152921504606846976_8) == 0)
      call check(mod(large(i), 9223372036854775807_8) == 0, mod(large(i), huge(p)) == 0)
      call check(mod(large(i), 6917529027641081856_8) == 0, mod(large(i), 3*q*0_8 + 6917529027641081856_8) == 0)
      if (mod(large(i), 4_8) == 0) zero = zero + 1
      if (mod(large(i), 10_8) == 0) tens = tens + 1
    end do
    print *, zero, tens
  end subroutine
  subroutine of_short(p, q, r)
    integer(2), intent(in) :: p, q, r
    integer :: i, zero
    zero = 0
    do i = -n, n
      call check(mod(short(i), 8_2) == 0, mod(short(i), p) == 0)
      call check(mod(short(i), 16_2) == 8, mod(short(i), 2_2*p) == 8)
      call check(mod(short(i), 5_2) == 0, mod(short(i), q) == 0)
      call check(modulo(short(i), 12_2) == 0, modulo(short(i), r) == 0)
      if (mod(short(i), 16_2) == 0) zero = zero + 1
    end do
    print *, zero
  end subroutine
end program
