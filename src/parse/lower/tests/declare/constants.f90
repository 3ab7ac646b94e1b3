! Constant expressions; the bytes are those that gfortran lays down for the same source.
module constants
  implicit none
  integer :: i
  integer, parameter :: dp = selected_real_kind(15, 307), ik = selected_int_kind(18)
  real(dp), parameter :: pi = 4.0_dp * atan(1.0_dp)
  integer, parameter :: table(3) = (/ (2**i, i = 3, 5) /)
  character(len=*), parameter :: word = 'true' // 'line'
  integer :: ints(30) = [7/2, -7/2, mod(-7, 3), modulo(-7, 3), 2**10, (-2)**3, 2**(-1), (-1)**(-3), &
    max(3, 9, 4), min(3, 9, 4), iand(12, 10), ior(12, 10), ieor(12, 10), not(0), ishft(1, 4), ishft(-1, -28), &
    ishftc(3, 30), ibset(0, 5), ibits(255, 4, 3), nint(2.5), nint(-2.5), floor(-1.5), ceiling(-1.5), &
    int(-3.7), ichar('A'), len(word), index(word, 'line'), len_trim('ab  '), size(table), table(2)]
  integer(8) :: longs(5) = [huge(1_8), int(huge(1), 8) + 1, 2_8**40, -5_ik, sum(table) * 1_8]
  integer(1) :: bytes(3) = [127_1, -1_1, huge(1_1)]
  real :: singles(12) = [1.1, 0.1 + 0.2, 1.0/3.0, 1e-40, 3.4028235e38, tiny(1.0), epsilon(1.0), sqrt(2.0), &
    real(16777217), 1.1**5, exp(1.0), anint(2.5)]
  real(8) :: doubles(16) = [0.1d0, 1d0/3d0, 0.1d0 + 0.2d0, pi, huge(1d0), tiny(1d0), epsilon(1d0), sqrt(2d0), &
    1.1d0**10, 1.1d0**(-10), dble(0.1), 123456789.123456789d0, 1d-310, aint(-2.7d0), scale(1d0, 3), &
    nearest(1d0, 1d0)]
  complex :: single_c(3) = [(1.0, 2.0) * (3.0, -1.0), (1.0, 2.0) / (3.0, -1.0), cmplx(1, 2)]
  complex(8) :: double_c(3) = [(1d0, 2d0)**2, conjg((1d0, 2d0)), cmplx(0.1d0, 0.2d0, 8)]
  logical :: truths(8) = [.true. .and. .false., 'abc' < 'abd', 'a' == 'a  ', 1 < 2, .not. .true., &
    any(table > 30), all(table > 30), btest(5, 2)]
  character(len=4) :: texts(4) = [character(len=4) :: 'a', 'abcdef', word(5:8), repeat('xy', 2)]
  character(len=6) :: more(3) = [trim('ab  ') // adjustl('  cd'), adjustr('ab    '), achar(65) // 'bcdef']
  integer :: square(2, 2) = reshape([1, 2, 3, 4], [2, 2], order=[2, 1])
  integer :: matrix(2, 3) = reshape((/ 1, 2, 3, 4, 5, 6 /), shape(matrix))
  integer :: kinds(6) = [kind(1.0), kind(1d0), kind('a'), digits(1.0), precision(1d0), range(1)]
  integer :: bounds(4) = [lbound(matrix, 1), ubound(matrix, 2), size(matrix), size(matrix, dim=1)]
  integer(2) :: boz(2) = [int(z'7f', 2), int(b'1010', 2)]
end module constants
